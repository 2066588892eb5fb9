"""The judge of stances: a day's sample out of the lake, its plan, its judgements back.

What is sampled and asked, and what counts as a judgement, belongs to `reading`.
"""
