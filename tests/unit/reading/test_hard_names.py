"""Hard names, by kind, read with the gazetteer of the cases. None of them is a case."""

import pytest
from readers import surfaces

_LATIN_EDGES = [
    ("Snapple and Applebee's are not Apple.", ["Apple"]),
    ("Uberlândia is a city, Uber a company.", ["Uber"]),
    ("tesla_model = 3 and my_tesla", []),
    ("Tesla-powered, anti-Tesla, Tesla/Nike", ["Tesla", "Tesla", "Tesla", "Nike"]),
    ("#Tesla @Nike", ["Tesla", "Nike"]),
    ("Tesla_特斯拉", ["Tesla", "特斯拉"]),
    ("iPhone15 beats iPhone 14 Pro", ["iPhone", "iPhone"]),
    ("SAP15 is no product, vivo15 is", ["vivo"]),
    ("SU7Max is an SU7", ["SU7", "SU7"]),
    ("Peugeot 508L, Peugeot 508", ["Peugeot", "Peugeot 508"]),
    ("Claude 3.5 Sonnet", ["Claude 3.5 Sonnet"]),
    ("Clifton 9.5 is not Clifton 9.", ["Clifton 9"]),
    ("SU7，15万元起", ["SU7"]),
    ("1.3M users, $3M raised, 3m wide, 13M", []),
    ("3M胶带, 3M tape", ["3M", "3M"]),
    ("Teslaの車、Tesla는 좋다", ["Tesla", "Tesla"]),
    ("①HubSpot ②Zoho 1.Nike 1、Tesla", ["HubSpot", "Zoho", "Nike", "Tesla"]),
    ("Tesla™ Nike® KFC© Sony¹", ["Tesla", "Nike", "KFC", "Sony"]),
    ("买iPhone送Nike", ["iPhone", "Nike"]),
]

_CASE = [
    ("apple pie, meta analysis, target audience, gap year, visa", []),
    ("APPLE Apple apple", ["Apple"]),
    ("KEEP calm and Keep training", ["Keep"]),
    ("tesla TESLA tEsLa", ["tesla", "TESLA", "tEsLa"]),
    ("MI 14, Mi 14, mi 14", ["MI"]),
    ("ASUS ROG and rog", ["ASUS", "ROG"]),
    ("Ａpple and ａpple", ["Ａpple"]),
    ("ERNIE BOT, Ernie Bot", ["ERNIE BOT", "Ernie Bot"]),
    ("Square one, square two", ["Square"]),
]

_WIDTH = [
    ("Ｔｅｓｌａ和ＨＵＡＷＥＩ", ["Ｔｅｓｌａ", "ＨＵＡＷＥＩ"]),
    ("Ｎｉｋｅ　Ａｉｒ好穿", ["Ｎｉｋｅ　Ａｉｒ"]),
    ("Oﬃce 365 and SK-Ⅱ", ["Oﬃce 365", "SK-Ⅱ"]),
    ("３Ｍ、７－１１", ["３Ｍ", "７－１１"]),
    ("½Tesla ㎡Nike …Dyson ⅷ Sony", ["Tesla", "Nike", "Dyson", "Sony"]),
    ("Straße, İzmir, ŉ, ﬁ: Tesla", ["Tesla"]),
    ("𝐓𝐞𝐬𝐥𝐚 und 𝗡𝗶𝗸𝗲", ["𝐓𝐞𝐬𝐥𝐚", "𝗡𝗶𝗸𝗲"]),
    ("Ｐ＆Ｇ和Ｈ＆Ｍ", ["Ｐ＆Ｇ", "Ｈ＆Ｍ"]),
]

_AMBIGUOUS_CHINESE = [
    ("小米手机和苹果手机", ["小米", "苹果"]),
    ("小米14和苹果15哪个好", ["小米", "苹果"]),
    ("苹果15元一斤，小米14块", []),
    ("苹果15.5元", []),
    ("苹果 16 Pro", ["苹果"]),
    ("苹果发布新系统", ["苹果"]),
    ("我爱吃苹果派和苹果。", []),
    ("手机很好。苹果很甜", []),
    ("大众汽车、大众点评和大众ID.4", ["大众汽车", "大众点评", "大众"]),
    ("上海大众的口味，大众化", []),
    ("王者荣耀的荣耀归于团队", []),
    ("华为和荣耀平板", ["华为", "荣耀"]),
    ("最美的风景、完美的生活、优美的空调声", []),
    ("美的集团和美的冰箱", ["美的集团", "美的"]),
    ("长城汽车和光明牛奶，现代汽车", ["长城汽车", "光明", "现代"]),
    ("万里长城脚下，光明的未来，现代社会", []),
    ("石头扫地机器人和联想笔记本，九号电动车", ["石头", "联想", "九号电动"]),
    ("他搬起石头，联想起往事，家住九号楼", []),
    ("红旗飘飘，生意旺旺", []),
    ("红旗H9和公牛插座、双星轮胎", ["红旗H9", "公牛插座", "双星轮胎"]),
    ("这是我的理想，蔚来和小鹏的车", ["理想", "蔚来", "小鹏"]),
    ("荣耀 Magic6、理想 L7、戴森 V15", ["荣耀 Magic", "理想 L7", "戴森 V15"]),
    ("《小米手机》「华为」『戴森』【格力】", ["小米", "华为", "戴森", "格力"]),
    ("macy's卖苹果", []),
]

_LONGEST = [
    ("小米SU7是小米汽车的产品", ["小米SU7", "小米汽车"]),
    ("小米华为荣耀手机", ["小米", "华为", "荣耀手机"]),
    ("Nike Air Jordan", ["Nike Air"]),
    ("Tesla Model Y", ["Tesla", "Model Y"]),
    ("HubSpot CRM vs HubSpot", ["HubSpot CRM", "HubSpot"]),
    ("贵州茅台和茅台", ["贵州茅台", "茅台"]),
    ("Tesla Model 300", ["Tesla"]),
    ("阿里云和阿里巴巴", ["阿里", "阿里巴巴"]),
]

_POSSESSIVE_AND_PLURAL = [
    ("the Teslas’ chargers", ["Tesla"]),
    ("McDonald’s, McDonald's, McDonalds", ["McDonald’s", "McDonald's", "McDonalds"]),
    ("Apples are fruit. Apple's chip.", ["Apple"]),
    ("iPhones, iPhone's, TESLAS", ["iPhone", "iPhone", "TESLA"]),
    ("Nikesha is a name", []),
    ("two 3Ms", []),
]

_HYPHENS = [
    ("Coca–Cola, Coca‐Cola, Coca—Cola", ["Coca–Cola", "Coca‐Cola", "Coca—Cola"]),
    ("COCA COLA, cocacola", ["COCA COLA", "cocacola"]),
    ("SK-II, SK II, SKII, SK2", ["SK-II", "SK II", "SKII", "SK2"]),
    ("Li-Ning, Li Ning, LiNing, LI-NING", ["Li-Ning", "Li Ning", "LiNing", "LI-NING"]),
    ("silver lining, LINING, Lining", []),
    ("Hewlett Packard, Scotch Brite", ["Hewlett Packard", "Scotch Brite"]),
    ("GPT4o, GPT 4o, DeepSeek R1", ["GPT4o", "GPT 4o", "DeepSeek R1"]),
    ("7-11, 7–11, 711, 7 11", ["7-11", "7–11"]),
    ("Sprout-Social, SproutSocial", ["Sprout-Social", "SproutSocial"]),
    ("TCL 电视, TCL电视", ["TCL 电视", "TCL电视"]),
    ("Coca\nCola", []),
]

_INVISIBLE = [
    ("Te\u2060sla, Te\u200dsla, \ufeffNike", ["Te\u2060sla", "Te\u200dsla", "Nike"]),
    ("Te&shy;sla", ["Te&shy;sla"]),
    ("华\u00ad为 小\u200d米手机", ["华\u00ad为", "小\u200d米"]),
    ("🚗Tesla🚗 华为👍🏻 👨‍👩‍👧Nike", ["Tesla", "华为", "Nike"]),
    ("1️⃣Nike 2️⃣ 华为", ["Nike", "华为"]),
    ("Te🚀sla", []),
    ("Tesla\u200bNike", ["Tesla", "Nike"]),
]

_MARKDOWN = [
    ("T**esla** and *Nik*e", ["T**esla", "Nik*e"]),
    ("~~Tesla~~ <b>Nike</b> <strong>华</strong>为", ["Tesla", "Nike", "华</strong>为"]),
    ("| **戴森**V15 | ~~Nike~~ |", ["戴森**V15", "Nike"]),
    (r"\*Tesla\* Yahoo\! H\&M", ["Tesla", r"Yahoo\!", r"H\&M"]),
    ("**_Tesla_** ***Nike***", ["Tesla", "Nike"]),
    ("**Tesla** **Model 3**", ["Tesla** **Model 3"]),
    ("**Nike**Shoes, **Nike**Air", ["Nike", "Nike**Air"]),
    ("Coca<br>Cola, Coca<b>-</b>Cola", ["Coca<b>-</b>Cola"]),
    ("### **华为**\n> Tesla\n- Nike：好", ["华为", "Tesla", "Nike"]),
    ("I like <Tesla>", ["Tesla"]),
    ("Tesla[1] Nike[^2]Dyson【4:2†source】Sony", ["Tesla", "Nike", "Dyson", "Sony"]),
    ("Kimi:contentReference[oaicite:3]{index=3} KFC[1][2]", ["Kimi", "KFC"]),
    ("Tesla\ue200cite\ue202turn0search1\ue201 rocks", ["Tesla"]),
    ("小米[1]手机", ["小米"]),
    ("3M<sup>2</sup>", ["3M"]),
    ("<!-- Tesla --> Nike", ["Nike"]),
]

_TRADITIONAL = [
    ("華為、小米手機、蘋果手機與聯想電腦", ["華為", "小米", "蘋果", "聯想"]),
    ("三星電視、飛利浦、臺灣優衣庫", ["三星", "飛利浦", "優衣庫"]),
    ("大眾汽車与麥當勞，雅詩兰黛", ["大眾汽車", "麥當勞", "雅詩兰黛"]),
    ("王者榮耀，萬里長城", []),
]

_ACCENTS = [
    ("Nestle NESTLÉ Nescafe", ["Nestle", "NESTLÉ", "Nescafe"]),
    ("Nestle\u0301 is decomposed", ["Nestle\u0301"]),
    ("LANCÔME, ESTÉE LAUDER", ["LANCÔME", "ESTÉE LAUDER"]),
    ("Arc’teryx, Arcteryx, ARC`TERYX", ["Arc’teryx", "Arcteryx", "ARC`TERYX"]),
    ("Loréal, L´Oréal Paris", ["Loréal", "L´Oréal Paris"]),
]

_ADDRESSES_AND_CODE = [
    ("[tesla](tesla.com) mail info@tesla.com", ["tesla"]),
    ("![Tesla logo](https://x.com/t.png) ok", []),
    ("`Nike` ``a `Tesla` b`` ok", []),
    ("a lone ` before Tesla", ["Tesla"]),
    ("`open\n\nTesla` closed", ["Tesla"]),
    ("<https://tesla.com> <info@nike.com> ok", []),
    ('<a href="https://tesla.com">Dyson</a> <img alt="Nike" src="x.png">', ["Dyson"]),
    ("tesla.com nike.com/air www.nike.com HTTP://KFC.COM", []),
    ("I like Tesla.It is good.", ["Tesla"]),
    ("https://x.com/tesla。Nike", ["Nike"]),
    ("(https://tesla.com)Nike", ["Nike"]),
    ("https://tesla.com小米手机", ["小米"]),
    ("[小米](https://mi.com)手机", ["小米"]),
    ('[x](https://nike.com "Nike shop") [a](<https://x.com/Nike b>)', []),
    ("tesla.py, nike.png, Tesla.csv", []),
    ("~~~\nTesla\n~~~\nNike", ["Nike"]),
    ("```\nTesla never closed", []),
    ("````\n```\nTesla\n```\n````\nNike", ["Nike"]),
    ("<code>Tesla</code> <pre>Nike</pre> Sony", ["Sony"]),
    ("[1]: https://tesla.com/x\nSony", ["Sony"]),
    ("[![Tesla](a.png)](https://nike.com) Sony", ["Sony"]),
]

_PUNCTUATION = [
    ("monday.com is great; on Monday.", ["monday.com"]),
    ("https://monday.com/x hi@monday.com www.monday.com", []),
    ("JD.com和京东", ["JD.com", "京东"]),
    ("C&A, C & A, AT&T's, H&#38;M", ["C&A", "C & A", "AT&T", "H&#38;M"]),
    ("Procter&Gamble, Procter and Gamble", ["Procter&Gamble", "Procter and Gamble"]),
    ("茶π、AD钙奶、早C晚A", ["茶π", "AD钙奶", "早C晚A"]),
    ("Gap Inc. and Gap Inc", ["Gap Inc.", "Gap"]),
    ('"Nike" ‘Tesla’ «Dyson» (Sony)', ["Nike", "Tesla", "Dyson", "Sony"]),
    ("Nike|Adidas; Nike&Adidas; Nike+Tesla", ["Nike", "Adidas"] * 2 + ["Nike", "Tesla"]),
]

_KINDS = {
    "latin edges": _LATIN_EDGES,
    "case": _CASE,
    "width": _WIDTH,
    "ambiguous Chinese": _AMBIGUOUS_CHINESE,
    "longest": _LONGEST,
    "possessive and plural": _POSSESSIVE_AND_PLURAL,
    "hyphens": _HYPHENS,
    "invisible": _INVISIBLE,
    "markdown": _MARKDOWN,
    "traditional": _TRADITIONAL,
    "accents": _ACCENTS,
    "addresses and code": _ADDRESSES_AND_CODE,
    "punctuation": _PUNCTUATION,
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(text, expected, id=f"{kind}: {text[:30]!a}")
        for kind, table in _KINDS.items()
        for text, expected in table
    ],
)
def test_a_hard_name_is_found_exactly_where_it_stands(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected
