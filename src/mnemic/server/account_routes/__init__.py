"""Routes for whoever looks at an account: overview, events, runs, places, explained answers, keys.

They belong to no dialect: every kind of memory is shown as the engine has it. Start reading at
`account_routers`.
"""
