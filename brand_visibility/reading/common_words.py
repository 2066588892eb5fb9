"""English words so common that a brand of the same spelling can't be told by spelling.

Function words and the commonest verbs, nouns and adjectives. Rarer words are found by how
collected answers use them, see `lint`.
"""

_WORDS = """
a about above across after again against ago all almost alone along already also although
always am among an and another any anyone anything are area around as ask at away back bad be
because become been before began behind being believe below best better between big both bring
build but buy by call came can care case change check child city close come could country day
did different do does done door down during each early easy end enough even ever every example
eye face fact family far feel few find fine first focus follow food for form free friend from
front full game gave get give go going gone good got great group grow had half hand happen
hard has have he head health hear help her here high him his hold home hope hour house how
however i idea if important in information into is it its job just keep kind know large last
late later lead learn least leave left less let life light like line list little live local
long look lot love low made main make man many market matter may me mean meet men might mind
money month more morning most move much must my name near need never new next night no not
note nothing now number of off offer often old on once one only open or order other our out
over own page part past pay people perhaps person place plan play point possible power present
problem public put question quick quite rather read real really reason right room run said
same save say school second see seem seen set several she should show side simple since small
so social some something soon speak special spend start state stay step still stop story
strong such support sure system take talk target team tell test than thank that the their them
then there these they thing think this those though thought three through time to today
together too took top toward try turn two under until up upon us use value very view visit
wait walk want was watch water way we week well went were what when where whether which while
white who whole why will with within without woman word work world would write year yes yet
you young your
"""

COMMON_WORDS = frozenset(_WORDS.split())
