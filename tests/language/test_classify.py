"""The contract's table, in both languages, and the everyday wording around it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.language import classify as classify_module
from mnemic.language.classify import PROTECTED, Classification, classify
from mnemic.language.lexicon.categories import CATEGORIES

TRIGGERS = {
    "constraint": ("must always", "never", "forbidden"),
    "preference": ("prefer X over Y", "recommended to use"),
    "worldview": ("X is better than Y", "from now on"),
    "tradeoff": ("tradeoff", "pros and cons", "vs"),
    "root_cause": ("caused by", "because", "root cause"),
    "decision": ("chose", "decided", "instead of"),
    "pattern": ("every time", "whenever", "recurring"),
    "postmortem": ("lesson", "postmortem"),
    "gotcha": ("gotcha", "pitfall", "trap"),
    "observation": ("found that", "discovered", "noticed"),
}
CHINESE_TRIGGERS = {
    "constraint": ("必须始终", "绝不", "禁止", "不得"),
    "preference": ("优先", "推荐使用", "建议"),
    "worldview": ("甲比乙更好", "从现在起", "从今以后"),
    "tradeoff": ("权衡", "取舍", "优缺点", "利弊"),
    "root_cause": ("由电压引起", "因为", "根本原因", "根因"),
    "decision": ("选择了", "决定", "而不是", "而非"),
    "pattern": ("每次", "每当", "反复出现"),
    "postmortem": ("教训", "复盘", "事后分析"),
    "gotcha": ("踩坑", "陷阱", "误区"),
    "observation": ("发现", "观察到", "注意到"),
}
EXAMPLES = {
    "Must never exceed 15N grip force": "constraint",
    "Prefer approach from left side": "preference",
    "ONNX is faster than Ollama for small models": "worldview",
    "Speed vs accuracy: use 10Hz for real-time": "tradeoff",
    "Failure caused by sensor drift": "root_cause",
    "Chose PID over MPC for simplicity": "decision",
    "Every time humidity > 80%, grip fails": "pattern",
    "Lesson: always calibrate before new session": "postmortem",
    "Pitfall: joint limits not checked in sim": "gotcha",
    "Found that red cups require more force": "observation",
    "General technical notes": "code",
    "抓取力不得超过 15N": "constraint",
    "优先从左侧接近": "preference",
    "ONNX 对小模型比 Ollama 更快": "worldview",
    "速度与精度:实时场景使用 10Hz": "tradeoff",
    "故障由传感器漂移引起": "root_cause",
    "为了简化选择 PID 而非 MPC": "decision",
    "每当湿度 > 80%,抓取就会失败": "pattern",
    "教训:新会话前务必先校准": "postmortem",
    "陷阱:仿真中未检查关节限位": "gotcha",
    "发现红色杯子需要更大的力": "observation",
    "一般性技术笔记": "code",
}
# Sentences made up for these tests, none with a trigger of the contract.
EVERYDAY = {
    "constraint": (
        "Payload must stay under 3 kg.",
        "Do not power the arm while the brake is released.",
        "The two services shall not share a database.",
        "Joint 4 should not rotate beyond 170 degrees.",
        "Always wear goggles near the saw.",
        "严禁在运行时打开防护门",
        "提交前务必跑完单元测试",
        "请勿直接修改生产库",
        "The name cannot contain spaces.",
        "Make sure the brake is released first.",
        "At most four cameras can be attached.",
        "【强制】变量名采用小写",
        "密码不能包含空格",
        "请确保急停按钮可用",
    ),
    "preference": (
        "We suggest running the planner at 20 Hz.",
        "Consider using a rubber pad for glass.",
        "It is best to come in slowly.",
        "The operator likes the cup placed handle-first.",
        "尽量使用软件限位",
        "最好在白天采集数据",
        "用户喜欢把杯子放在右边",
        "Keep the jaws as clean as possible.",
        "A better way is to lift it from below.",
        "As a general rule, the gain is halved first.",
        "If the arm shakes, try lowering the gain.",
        "酌情调低夹紧力",
        "用吸盘是不错的选择",
    ),
    "worldview": (
        "A simple script is easier to maintain than a framework.",
        "Suction outperforms fingers on flat boxes.",
        "Readability matters more than cleverness.",
        "简单方案胜过复杂方案",
        "手写规则不如学习策略",
        "小步提交优于一次性大改",
        "The new gripper is much easier to clean.",
        "The best method is a soft landing.",
        "试装是检验夹具最好的办法",
        "方案二更有优势",
    ),
    "tradeoff": (
        "A bigger buffer reduces drops at the cost of latency.",
        "The downside is that the index needs disk space.",
        "Caching saves time but costs memory.",
        "速度快了,代价是抖动变大",
        "牺牲一点精度换取实时性",
        "需要在精度和速度之间取得平衡",
        "While the cache saves time, it makes errors harder to see.",
        "Higher resolution means slower inference.",
        "相机越多,识别越慢",
        "加密会带来性能损失",
    ),
    "root_cause": (
        "The crash was due to a loose cable.",
        "Drift stems from a worn encoder.",
        "An expired certificate led to the login errors.",
        "由于网络超时,任务被取消",
        "报错源于依赖版本冲突",
        "问题出在相机标定",
        "A memory leak took down the planner.",
        "The delay is explained by a slow disk.",
        "It stopped since the token had expired.",
        "故障的主因是供电不足",
        "不小心改错配置,导致全线停机",
    ),
    "decision": (
        "We went with SQLite for the first release.",
        "The team agreed to freeze the API.",
        "After review we settled on gRPC.",
        "最终选用了轮式底盘",
        "团队改用 gRPC 通信",
        "Support for the old gripper was dropped.",
        "We will move the planner to its own process.",
        "The project now uses one lock file.",
        "新版不再支持旧协议",
        "我们新增了第二个相机",
    ),
    "pattern": (
        "The left wheel slips each time the floor is wet.",
        "The robot tends to drift left on carpet.",
        "It usually fails after an hour of running.",
        "一下雨摄像头就会起雾",
        "只要温度过高,电机就降速",
        "经常在凌晨断线",
        "Latency grows as the queue fills.",
        "Wet floors are more likely to confuse the lidar.",
        "负载增大时,延迟就会升高",
    ),
    "postmortem": (
        "In hindsight the test bench was too small.",
        "We should have checked the brakes first.",
        "The outage highlighted the need for better alerts.",
        "To prevent similar incidents, alerts were added.",
        "下次一定先检查电量",
        "早知道就先做演练",
        "为避免类似问题,增加了告警",
        "The outage showed that our alerts were too slow.",
        "The crack was not caught at assembly.",
        "Nobody checked the spare battery.",
        "当时没有及时更换电池",
        "摔坏样机让我懂得先做仿真",
    ),
    "gotcha": (
        "Watch out: the API returns seconds, not milliseconds.",
        "The parser silently drops unknown fields.",
        "If you forget to release the lock, the job hangs.",
        "小心单位混用",
        "这里有个坑:下标从 1 开始",
        "忘记释放锁会卡死",
        "The option has no effect on Windows.",
        "Unfortunately the buffer can grow without end.",
        "Changes will be lost after a restart.",
        "徒手换刀极其危险",
        "两个轴很容易弄错",
        "重试并不能保证成功",
    ),
    "observation": (
        "We observed a 3 ms jitter on the bus.",
        "It turns out the blue mat reflects little light.",
        "Tests show 12 N is enough.",
        "grip_force=12.5N optimal for cylindrical objects",
        "实测续航六小时",
        "测试表明 12N 足够",
        "日志显示夜间没有请求",
        "The average latency was 12 ms.",
        "Throughput increased by 20% after the change.",
        "The gripper seems loose.",
        "高峰期间延迟飙升",
        "吞吐提升了 20%",
    ),
    "code": (
        "The config is loaded from settings.toml at start.",
        "More details can be found in the manual.",
        "You can stop the job at any time.",
        "Open the folder in VS Code.",
        "In this step the file moved to the archive is read.",
        "该接口返回设备列表",
        "从不同的相机读取图像",
        "本应用监听 8080 端口",
        "用吸盘吸取纸箱",
        "在菜单里选择语言",
        "请求的优先级取值 1 到 9",
        "Return the value, or None otherwise.",
        "The scheduler is responsible for the queue.",
        "The menu holds elements like moving lights.",
        "系统收到请求后返回响应",
    ),
}


def cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(text, category) for category, texts in table.items() for text in texts]


@pytest.mark.parametrize(("trigger", "category"), cases(TRIGGERS))
@pytest.mark.parametrize(
    "sentence", ["{}", "The arm, {} here, is blue.", "(see {}!)", "机械臂{}上"]
)
def test_a_trigger_of_the_seed_decides_wherever_it_stands(
    sentence: str, trigger: str, category: str
) -> None:
    text = sentence.format(trigger)

    assert classify(text).category == category
    assert classify(text.upper()).category == category


@pytest.mark.parametrize(("trigger", "category"), cases(CHINESE_TRIGGERS))
def test_a_chinese_trigger_decides_wherever_it_stands(trigger: str, category: str) -> None:
    assert classify(f"{trigger}机械臂").category == category
    assert classify(f"机械臂在桌边,{trigger}红杯。").category == category


@pytest.mark.parametrize(("text", "category"), EXAMPLES.items())
def test_an_example_of_the_seed_is_what_its_table_says(text: str, category: str) -> None:
    assert classify(text).category == category
    assert classify(text.upper()).category == category
    assert classify(f"2026-03-09 {text} (UR5e)").category == category


@pytest.mark.parametrize(("text", "category"), cases(EVERYDAY))
def test_everyday_wording_is_understood(text: str, category: str) -> None:
    assert classify(text).category == category


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("發現紅色杯子需要更大的力", "observation"),
        ("決定使用左臂", "decision"),
        ("高峰時延遲飆升", "observation"),
        ("故障由感測器漂移引起,這是教訓", "root_cause"),
        ("禁止触摸　ＮＥＶＥＲ", "constraint"),
    ],
)
def test_traditional_and_full_width_characters_are_read_alike(text: str, category: str) -> None:
    assert classify(text).category == category


def test_of_several_categories_the_first_in_the_table_wins_and_all_are_tags() -> None:
    found = classify("We decided to stop because we never noticed the trap")

    assert found == Classification(
        category="constraint",
        tags=("constraint", "root_cause", "decision", "gotcha", "observation"),
    )


def test_a_text_that_says_nothing_known_is_code_and_tagged_so() -> None:
    assert classify("The port is 8080") == Classification(category="code", tags=("code",))
    assert classify("") == Classification(category="code", tags=("code",))


def test_a_hint_counts_only_where_no_trigger_does() -> None:
    assert classify("Always calibrate first").category == "constraint"
    assert classify("Lesson: always calibrate first").tags == ("postmortem",)
    assert classify("务必先校准").category == "constraint"
    assert classify("教训:务必先校准").tags == ("postmortem",)


def test_a_cue_counts_only_where_no_trigger_and_no_hint_does() -> None:
    assert classify("The robot often stops").category == "pattern"
    assert classify("Unfortunately the robot often stops").tags == ("gotcha",)
    assert classify("Found that the robot often stops").tags == ("observation",)
    assert classify("机器人有时停下").category == "pattern"
    assert classify("注意机器人有时停下").tags == ("gotcha",)


def test_protected_categories_exist() -> None:
    assert {"constraint", "postmortem", "gotcha"} == PROTECTED
    assert set(CATEGORIES) >= PROTECTED


@given(st.data())
def test_every_rule_is_tried_on_the_texts_it_matches(data: st.DataObject) -> None:
    """The index over the rules must not hide one; its keys are private, so is this test."""
    strengths = (classify_module._triggers, classify_module._hints, classify_module._cues)  # pyright: ignore[reportPrivateUsage]
    rules = data.draw(st.sampled_from(strengths))()
    number = data.draw(st.sampled_from(range(len(rules.numbered))))
    source = rules.numbered[number][1]
    text = data.draw(st.from_regex(re.compile(source, re.ASCII), fullmatch=True))

    keys = classify_module._keys_of_text(text)  # pyright: ignore[reportPrivateUsage]

    assert any(number in rules.by_key.get(key, ()) for key in keys)


@given(st.text(st.characters(codec=None), max_size=400))
def test_any_text_has_a_category(text: str) -> None:
    found = classify(text)

    assert found.category == found.tags[0]
    assert set(found.tags) <= {*CATEGORIES, "code"}
