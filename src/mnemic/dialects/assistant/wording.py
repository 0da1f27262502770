"""What the assistant's tools say besides data, in Chinese and English."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mnemic.settings import Locale


@dataclass(frozen=True, slots=True)
class Text:
    """One thing to say, in each language."""

    zh: str
    en: str

    def in_language(self, locale: Locale) -> str:
        """Return it in one language."""
        return self.zh if locale == "zh" else self.en


DONE: Final[Mapping[str, Text]] = {
    "memory_add": Text("记忆添加成功", "Memory added"),
    "memory_search": Text("搜索完成", "Search completed"),
    "memory_chat": Text("对话完成", "Chat completed"),
    "memory_get_profile": Text("配置文件获取成功", "Profile retrieved"),
    "memory_update": Text("记忆更新成功", "Memory updated"),
    "memory_delete": Text("记忆删除成功", "Memory deleted"),
    "memory_list": Text("记忆列表获取成功", "Memories listed"),
    "conversation_list": Text("对话列表获取成功", "Conversations listed"),
    "conversation_get": Text("对话获取成功", "Conversation retrieved"),
    "conversation_delete": Text("对话删除成功", "Conversation deleted"),
}

WRONG: Final[Mapping[str, Text]] = {
    "INVALID_CONTENT": Text("内容为空或超出长度限制", "The content is empty or too long"),
    "INVALID_MEMORY_TYPE": Text("无效的记忆类型", "The memory type is not valid"),
    "INVALID_CONTEXT": Text("无效的上下文信息", "The context is not valid"),
    "BACKEND_ERROR": Text("后端服务错误", "The store could not be used"),
    "INVALID_QUERY": Text("查询为空或超出长度限制", "The query is empty or too long"),
    "INVALID_MEMORY_TYPES": Text("无效的记忆类型", "The memory types are not valid"),
    "INVALID_LIMIT": Text("无效的限制数量", "The limit is not valid"),
    "INVALID_MESSAGE": Text("消息为空或超出长度限制", "The message is empty or too long"),
    "INVALID_MEMORIZING": Text("无效的记忆开关", "The switch for memorizing is not valid"),
    "INVALID_IMAGE_URI": Text("无效的图片 URI", "An image URI is not valid"),
    "INVALID_CONVERSATION_ID": Text("无效的对话 ID", "The conversation id is not valid"),
    "CHAT_SERVICE_ERROR": Text("对话服务错误", "The chat service failed"),
    "PROFILE_NOT_FOUND": Text("用户配置文件不存在", "There is no profile of that user"),
    "INVALID_USER_ID": Text("无效的用户 ID", "The user id is not valid"),
    "INVALID_OFFSET": Text("无效的偏移量", "The offset is not valid"),
    "NOT_FOUND": Text("记录不存在", "There is nothing with that id"),
    "INVALID_PARAMETER": Text("无效的参数", "A parameter is not valid"),
    "PAYLOAD_TOO_LARGE": Text("请求过大", "The request is too large"),
    "AUTH_REQUIRED": Text("需要密钥", "A key is needed"),
    "AUTH_INVALID_CREDENTIALS": Text("密钥无效", "The key is not valid"),
    "AUTH_INSUFFICIENT_SCOPE": Text("权限不足", "The key does not allow this"),
    "HOST_NOT_ALLOWED": Text("不允许的主机名", "This host is not allowed"),
    "ORIGIN_NOT_ALLOWED": Text("不允许的来源", "This origin is not allowed"),
    "REQUEST_TIMEOUT": Text("请求超时", "The request took too long to arrive"),
    "TOO_MANY_REQUESTS": Text("请求过多", "There are too many requests"),
    "INTERNAL_ERROR": Text("内部错误", "Mnemic failed inside, which is a bug"),
}
