"""What written answers are made of besides brands: sentences in each language.

No sentence names a brand. Which of them an answer uses is decided in `written`.
"""

from dataclasses import dataclass

from brand_visibility.simulator.names import NameIndex


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """The sentences of one language.

    `remarks` follow a brand, `advice` stands alone, `others_lead`, `source_leads` and
    `aside_leads` open a line that ends with brands, an address or a decoy. `colon`,
    `comma` and `stop` are the language's punctuation.
    """

    openings: tuple[str, ...]
    remarks: tuple[str, ...]
    advice: tuple[str, ...]
    closings: tuple[str, ...]
    headings: tuple[str, ...]
    others_leads: tuple[str, ...]
    source_leads: tuple[str, ...]
    aside_leads: tuple[str, ...]
    colon: str
    comma: str
    stop: str

    def without_names(self, names: NameIndex) -> "Phrasebook":
        """Return the phrasebook less the sentences that hold a watched name by accident."""
        return Phrasebook(
            openings=_free(self.openings, names),
            remarks=_free(self.remarks, names),
            advice=_free(self.advice, names),
            closings=_free(self.closings, names),
            headings=_free(self.headings, names),
            others_leads=_free(self.others_leads, names),
            source_leads=_free(self.source_leads, names),
            aside_leads=_free(self.aside_leads, names),
            colon=self.colon,
            comma=self.comma,
            stop=self.stop,
        )


def _free(sentences: tuple[str, ...], names: NameIndex) -> tuple[str, ...]:
    return tuple(sentence for sentence in sentences if names.is_free_of_names(sentence))


CHINESE = Phrasebook(
    openings=(
        "选购之前，建议先想清楚预算和使用场景，再看具体的型号。",
        "这个问题很常见，下面按综合表现整理了一份参考。",
        "市面上的选择不少，以下是近期讨论度较高的几个方向。",
        "如果从口碑、做工和售后三个方面来比较，可以参考下面的内容。",
        "不同人的需求差别很大，这里给出的是比较通用的建议。",
        "综合公开评测和用户反馈，大致情况如下。",
    ),
    remarks=(
        "口碑稳定，值得优先考虑",
        "性价比高，适合预算有限的人",
        "做工扎实，日常使用很省心",
        "功能齐全，上手也简单",
        "售后网点多，维修方便",
        "价格偏高，预算充足再选",
        "设计讲究，适合看重外观的人",
        "噪音控制得好，适合家里有老人和孩子的家庭",
        "更新较快，买之前可以多比较几款",
        "评价两极分化，最好先到店体验",
        "耐用性表现突出，推荐长期使用",
        "细节一般，但价格很有吸引力",
    ),
    advice=(
        "购买时建议关注质保年限和退换政策。",
        "大促期间价格波动较大，可以提前加入购物车观察几天。",
        "参数只是参考，实际体验往往取决于使用环境。",
        "如果条件允许，最好到线下门店试用之后再决定。",
        "二手渠道虽然便宜，但要留意成色和保修状态。",
        "不必盲目追求最高配置，够用就好。",
    ),
    closings=(
        "希望以上信息对你有帮助。",
        "如果告诉我具体预算，我可以给出更有针对性的建议。",
        "最终还是要结合自己的实际需要来选。",
        "以上内容仅供参考，请以官方信息为准。",
    ),
    headings=("综合推荐", "值得关注的选择", "参考名单", "几个常见选项"),
    others_leads=("此外还可以看看", "常被一起提到的还有", "同类里也有人选择"),
    source_leads=("参考资料", "信息来源", "延伸阅读"),
    aside_leads=("顺便说明，下面这个词与本题无关", "注意不要与这个词混淆"),
    colon="：",
    comma="、",
    stop="。",
)

ENGLISH = Phrasebook(
    openings=(
        "It helps to settle your budget and your main use before you look at models.",
        "This comes up often, so here is a short overview based on public reviews.",
        "There is plenty to choose from; these are the options people discuss most.",
        "Judged by build quality, support and price, the picture looks like this.",
        "Needs differ a lot from person to person, so treat this as a starting point.",
        "Going by recent tests and owner feedback, a few directions stand out.",
    ),
    remarks=(
        "a dependable first choice with a solid reputation",
        "great value if your budget is tight",
        "well built and easy to live with every day",
        "a full set of features and a gentle learning curve",
        "helpful support and quick repairs",
        "rather expensive, though the quality is there",
        "a good fit if looks matter to you",
        "quiet in use and recommended for families",
        "updated often, so compare several versions first",
        "opinions are mixed, so try it before you buy",
        "very durable and a safe long-term pick",
        "plain in the details but attractively priced",
    ),
    advice=(
        "Check the length of the warranty and the return policy before ordering.",
        "Prices move a lot during sales, so watch them for a few days.",
        "Specifications tell only part of the story; your setup matters more.",
        "If you can, visit a shop and try things in person.",
        "Second-hand offers are cheaper, but look closely at their condition.",
        "You rarely need the top configuration.",
    ),
    closings=(
        "Hope this helps.",
        "Share your budget and I can narrow this down further.",
        "In the end, choose what suits your own needs.",
        "Please verify current details on official pages.",
    ),
    headings=("Overview", "Options worth a look", "Shortlist", "Common picks"),
    others_leads=("You may also look at", "Often named alongside these", "Some people also pick"),
    source_leads=("Sources", "Further reading", "References"),
    aside_leads=("A term that has nothing to do with this", "Not to be confused with"),
    colon=": ",
    comma=", ",
    stop=".",
)
