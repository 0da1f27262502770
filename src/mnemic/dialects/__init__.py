"""The wire formats of robots, assistants and chats: values in, records to the engine, and back.

No dialect knows another, the storage or a provider. Start reading at `robot.tools`.
"""
