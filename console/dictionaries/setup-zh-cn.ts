import type { SetupTexts } from './setup-en.ts'

export const setupZhCn: SetupTexts = {
  categories: { cli: '命令行', sdk: '代码', app: '应用', http: '直接发 HTTP 请求' },
  systems: { posix: 'macOS、Linux', powershell: 'Windows PowerShell', cmd: 'Windows cmd', any: '所有系统' },
  protocols: {
    'openai-chat': 'OpenAI Chat Completions',
    'openai-responses': 'OpenAI Responses',
    'anthropic-messages': 'Anthropic Messages',
    gemini: 'Gemini',
  },
  purposes: {
    install: '安装（已装可跳过）',
    set: '配置',
    keep: '长期保留配置',
    try: '发第一条消息',
  },
  notes: {
    this_terminal: '只在当前终端有效，关闭后失效。',
    new_terminal: '对之后新打开的终端生效。',
    shell_profile: '加到 shell 启动时读取的文件里：~/.bashrc、~/.zshrc 或 ~/.profile。',
    merge_into_file: '如果文件已存在，请把这些内容合并进去：顶层的条目要放在所有小节之前，其他内容保持不变。',
    merge_list_into_file: '如果文件已存在，把这一项加进它的列表，其他项保持不变。',
    fields_in_app: '把每个值复制到同名的输入框，然后保存。',
    save_and_run: '用这个文件名保存，并在同一个文件夹里运行。',
  },
  advice: {
    keep_out_of_repository: '密钥请放在环境变量里，不要写进会提交到代码仓库的文件。',
    file_holds_key: '这个客户端会把密钥存进自己的文件。不要让别人读到这个文件，也不要把它放进与人共享的备份。',
    history_holds_key: '输入的命令会留在 shell 历史里。在 bash 和 zsh 中，行首加一个空格通常可以避免。',
    other_anthropic_key_wins: 'ANTHROPIC_API_KEY 的优先级更高，会让这里的配置失效。请在所有设置过它的地方删掉。',
    root_without_v1: '地址末尾不要带 /v1 或 /v1beta，客户端会自己加上。',
    full_path_on_purpose: '这个客户端要求填写完整路径，这不是写错。',
    own_provider_entry: '需要为网关单独建一个提供方条目：内置的 OpenAI 提供方不读环境变量里的密钥。',
    restart_after_saving: '保存后请完全退出程序，再重新打开。',
    called_from_cloud: '请求由它厂商的服务器发出，而不是你的电脑：内网地址它们访问不到。',
    called_from_container: '如果它运行在容器里，127.0.0.1 指的是容器自己。请填写容器能访问到本网关的地址。',
    use_chat_completions: '如果它还提供 Responses API 选项，模型不支持时请关闭。',
  },
  unavailable: {
    no_models: '这个密钥目前不能调用任何模型。',
    no_model_of_protocol: '这个密钥可用的模型都不支持该客户端所需的协议。',
  },
  warnings: {
    key_reaches_web_server:
      '密钥会成为网址的一部分，进入对方服务器的日志和浏览器的历史记录。请使用额度很小的密钥，用完即删。',
    key_in_web_address: '密钥会成为网址的一部分，留在浏览器的历史记录里。',
    new_entry_each_time: '每点一次都会新增一个条目，旧的请在那边删除。',
    scan_with_phone: '请用手机上的应用扫码。拍到这个码的人就拿到了密钥。',
  },
}
