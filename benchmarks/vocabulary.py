"""Words for made-up robot experiences, in English and Chinese; common ones first."""

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "verb": """
        grasp push lift place pick insert stack rotate slide open close pour wipe fold align
        clamp release scan weigh sort screw unscrew peel tilt drag hang pack unpack turn press
        pull carry drop catch hook cut scoop stir shake sweep mop polish sand drill solder weld
        glue label unload charge dock undock climb cross follow inspect measure
    """,
    "adjective": """
        red small wet heavy smooth round thin blue soft plastic metal large glass empty full
        cold hot fragile rough flat tall short narrow wide sticky dusty oily wooden rubber
        ceramic transparent shiny black white green yellow grey curved sharp dented loose tight
        frozen warm warped cracked rusty slippery porous foam woven leather brass copper steel
        aluminium cardboard paper nylon silicone magnetic hollow solid tiny bulky uneven matte
        glossy perforated folded torn sealed
    """,
    "object": """
        cube cup box bottle plate drawer door handle cylinder ball tray bowl can block mug bag
        lid jar screw bolt peg gear cable connector towel spoon fork knife pan pot kettle book
        pen marker sponge brush bucket crate pallet basket carton tube pipe valve hose wrench
        hammer drill screwdriver plug socket switch button knob lever hinge shelf chair cushion
        pillow blanket shirt sock shoe phone tablet keyboard mouse monitor lamp candle vase
        apple orange banana lettuce tomato potato egg bread pizza cookie sandwich syringe vial
        pipette beaker flask petri-dish battery motor bearing bracket flange gasket washer nut
        rivet clip spring magnet lens mirror filter cartridge spool ribbon rope chain hook net
        tarp brick tile plank panel sheet foil wafer chip board sensor camera antenna wheel tyre
        axle propeller wing rudder
    """,
    "place": """
        table shelf floor kitchen bench conveyor tray rack cabinet fridge sink counter cell
        warehouse corridor lab dock workbench desk loading-bay doorway ramp stairwell elevator
        garage garden greenhouse barn field orchard ward pharmacy cleanroom oven dishwasher
        microwave wardrobe bathroom balcony lobby gate pit tank tunnel roof scaffold trench
        platform carousel turntable mezzanine
    """,
    "robot": """
        gripper arm wrist elbow base suction-cup finger mobile-base camera planner controller
        end-effector quadruped humanoid drone rover forklift torso left-arm right-arm head leg
        manipulator hand tool-changer lidar
    """,
    "parameter": """
        grip_force speed force torque approach_height tilt_angle friction stiffness damping
        clearance acceleration pressure offset temperature humidity dwell_time step_size gain
        exposure payload latency current voltage depth radius step_length vacuum insertion jerk
        overshoot threshold learning_rate
    """,
    "unit": """
        N mm cm ms deg kg s A V kPa Hz C rad m percent Nm g rpm lux dB
    """,
    "outcome": """
        slipped fell tipped jammed broke bent scratched spilled rolled bounced stuck collided
        stalled drifted overheated missed succeeded finished held settled aligned latched seated
        stayed
    """,
    "cause": """
        friction moisture glare vibration calibration slack dust wear backlash occlusion
        condensation reflection shadow static drift noise lag temperature humidity wind overload
        misalignment deformation shrinkage fatigue corrosion leakage interference crosstalk
        aliasing saturation singularity
    """,
    "adverb": """
        slowly gently firmly twice first again quickly carefully early late straight sideways
        diagonally gradually immediately repeatedly partially fully vertically horizontally
        clockwise manually automatically
    """,
    "state": """
        wet dry dark bright crowded moving tilted unlit humid dusty cold hot open closed blocked
        occupied unpowered unstable noisy windy wet-mopped icy sloped carpeted gravelled
    """,
    "person": """
        operator technician nurse Anna Li Marco customer supervisor Priya Tom farmer child Chen
        Fatima Olga Diego student guard driver visitor Kenji Amara Lucas
    """,
}

CHINESE: Final[dict[str, str]] = {
    "verb": """
        抓取 推动 放置 拿起 插入 堆叠 旋转 打开 关闭 倾倒 擦拭 折叠 对准 夹紧 松开 扫描 称重
        分拣 拧紧 拧松 搬运 悬挂 装箱 拆箱 按压 拉动 切割 搅拌 清扫 打磨 焊接 涂胶 贴标 卸货
        充电 对接 跟随 检查 测量 剥皮
    """,
    "adjective": """
        红色 小 湿 重 光滑 圆形 薄 蓝色 软 塑料 金属 大 玻璃 空 满 冷 热 易碎 粗糙 扁平 高 窄 粘
        油腻 木质 橡胶 陶瓷 透明 黑色 白色 绿色 弯曲 锋利 松动 冷冻 变形 生锈 多孔 磁性 空心
        微小 破损 密封
    """,
    "object": """
        方块 杯子 箱子 瓶子 盘子 抽屉 门把手 圆柱 小球 托盘 碗 罐头 积木 袋子 盖子 螺丝 螺栓
        齿轮 电缆 连接器 毛巾 勺子 叉子 水壶 书本 海绵 刷子 水桶 篮子 纸盒 管子 阀门 扳手 锤子
        插头 开关 按钮 旋钮 铰链 椅子 枕头 毯子 衬衫 手机 键盘 台灯 花瓶 苹果 香蕉 生菜 土豆
        鸡蛋 面包 注射器 试管 烧杯 电池 电机 轴承 支架 垫圈 弹簧 镜片 滤芯 绳子 链条 砖块 瓷砖
        木板 晶圆 电路板 传感器 相机 车轮 螺旋桨
    """,
    "place": """
        桌面 货架 地面 厨房 工作台 传送带 料架 柜子 冰箱 水槽 台面 仓库 走廊 实验室 码头 门口
        坡道 电梯 车库 花园 温室 果园 病房 药房 洁净室 烤箱 微波炉 衣柜 浴室 阳台 大厅 隧道 屋顶
        平台 转盘
    """,
    "robot": """
        夹爪 机械臂 手腕 底盘 吸盘 手指 相机 规划器 控制器 末端 四足机器人 无人机 叉车 左臂 右臂
        激光雷达
    """,
    "parameter": """
        抓取力 速度 力矩 接近高度 倾斜角 摩擦系数 刚度 阻尼 间隙 加速度 压力 偏移 温度 湿度
        停留时间 步长 增益 曝光 负载 延迟 电流 电压 深度 真空度 阈值
    """,
    "outcome": """
        滑落 掉落 倾倒 卡住 破裂 弯曲 划伤 洒出 滚走 弹开 碰撞 停转 漂移 过热 错过 成功 完成
        保持稳定 对齐 到位
    """,
    "cause": """
        摩擦不足 表面潮湿 反光 振动 标定误差 间隙过大 灰尘 磨损 遮挡 冷凝水 阴影 静电 噪声 延迟
        过载 变形 疲劳 腐蚀 泄漏 干扰
    """,
    "adverb": """
        缓慢 轻轻 用力 两次 先 再次 快速 小心 提前 垂直 侧向 逐渐 立即 反复 完全 手动
    """,
    "state": """
        潮湿 干燥 昏暗 明亮 拥挤 倾斜 多尘 寒冷 炎热 打开 关闭 堵塞 断电 嘈杂 结冰
    """,
    "person": """
        操作员 技术员 护士 小李 王工 顾客 主管 老张 学生 司机 访客 陈博士
    """,
}

# Makers and place codes are put together from these: the long tail that every real store has.
SYLLABLES: Final = """
    ka tor vex lin mo dra sel pi qua nor ban tis ul gre fen zo hal wik stra bel co rin dax em yor
    pla shu vin ter go
"""
NAME_CHARACTERS: Final = "华安新远达海天星龙宏正方同力光明德利金科云峰泰信和盛博锐东宁凯通"
