"""Decoys that every gazetteer has: everyday expressions that hold a well-known name.

They spare every catalog the same list. A decoy of one catalog only belongs to its brands,
and an expression that is also said of the brand (苹果皮肤, "Zoom in your browser") to none.
"""

_CHINESE = """
亚马逊雨林 亚马逊热带雨林 亚马逊河 亚马逊丛林 亚马逊流域 亚马逊盆地 亚马逊平原 亚马逊森林
伊利诺伊 伊利诺州 伊利亚特 伊利湖 伊利运河
北京东 南京东 东京东
最美团 完美团 精美团 北美团 欧美团
人格力 性格力 价格力 风格力 严格力 资格力 格力高
升华为 才华为 精华为 繁华为 年华为
普罗大众 人民大众 社会大众 广大大众 大众化 大众传媒 大众传播 大众媒体 大众文化 大众认知
苹果派 苹果醋 苹果汁 苹果酱 苹果树 苹果肌 苹果木 青苹果 红苹果
小米粥 小米椒 小米辣 小米饭 小米糊 小米加步枪
联想到 联想起 自由联想 联想记忆
王者荣耀 荣耀感 荣耀归于
现代化 现代人 现代社会 现代文学 现代艺术 现代诗 现代汉语 现代史 后现代 近现代
理想主义 理想化 理想状态 理想国
最美的 完美的 优美的 甜美的 精美的 华美的 唯美的 壮美的 秀美的 凄美的 赞美的
万里长城 光明正大 正大光明 光明日报 三星堆 三星级
特斯拉线圈 尼古拉·特斯拉 尼古拉特斯拉 戴森球 戴森云 海尔布隆
汗血宝马 香车宝马 宝马香车 策马奔驰 法兰克福特 幸福特 祝福特
甲骨文字 阿里山 阿里郎 阿里地区 快手菜 滴滴答 匹克球 奥林匹克 生意旺旺
一百度 二百度 两百度 三百度 几百度 数百度
"""

_ENGLISH = """
Amazon rainforest, Amazon river, Amazon basin, Amazon jungle, Amazon forest
Adam's apple, apple pie, apple cider, apple juice, apple sauce, apple orchard, apple tree
Big Apple
buffer zone, buffer overflow
Dyson sphere, Dyson swarm, Freeman Dyson
gap year, gap analysis, gender gap, pay gap, wage gap, skills gap
Hieronymus Bosch
honor code, honor roll, medal of honor
keep in mind, keep in touch, keep track, keep an eye
Kimi no Na wa, Kimi Räikkönen
medium heat, medium rare, medium sized, medium term
meta analysis
National Weather Service, national park
Nikola Tesla, Tesla coil
oracle bone, oracle of Delphi
peak hours, peak season
pick up the slack, slack off
sprint backlog, sprint planning, sprint retrospective
square foot, square feet, square meter, square meters, square root, Times Square, Union Square
subway line, subway station, subway system
target audience, target market
high tide, low tide, red tide, tide pool
visa application, visa requirements, student visa, tourist visa, work visa
word count, word of mouth
zoom in on
"""

DEFAULT_DECOYS: tuple[str, ...] = (
    *_CHINESE.split(),
    *(decoy.strip() for line in _ENGLISH.strip().splitlines() for decoy in line.split(",")),
)
