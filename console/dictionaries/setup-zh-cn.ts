import type { SetupTexts } from './setup-en.ts'

export const setupZhCn: SetupTexts = {
  categories: { cli: '命令行', sdk: '代码', app: '应用', http: 'HTTP 请求' },
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
    try: '发送第一条消息',
  },
  notes: {
    this_terminal: '只在当前终端有效，关闭后失效。',
    new_terminal: '对之后新打开的终端生效。',
    shell_profile: '添加到 shell 的启动文件：~/.bashrc、~/.zshrc 或 ~/.profile。',
    merge_into_file: '如果文件已存在，请将这些内容合并进去：顶层条目放在所有小节之前，其他内容保持不变。',
    merge_list_into_file: '如果文件已存在，请将这一项添加到列表中，其他项保持不变。',
    fields_in_app: '将各项内容复制到同名的输入框，然后保存。',
    save_and_run: '以此文件名保存，并在同一文件夹中运行。',
  },
  advice: {
    keep_out_of_repository: '请将密钥放在环境变量中，不要写入会提交到代码仓库的文件。',
    file_holds_key: '此客户端会将密钥保存在自己的文件中。请勿让他人读取该文件，也不要将其放入共享的备份。',
    history_holds_key: '输入的命令会保留在 shell 历史记录中。在 bash 和 zsh 中，行首加一个空格通常可以避免。',
    other_anthropic_key_wins: 'ANTHROPIC_API_KEY 的优先级更高，会覆盖此配置。请删除所有设置了它的地方。',
    root_without_v1: '地址末尾不要带 /v1 或 /v1beta，客户端会自动添加。',
    full_path_on_purpose: '此客户端需要填写完整路径，这是正常的。',
    own_provider_entry: '请为网关单独添加一个服务商：内置的 OpenAI 服务商不读取环境变量中的密钥。',
    restart_after_saving: '保存后请完全退出应用，然后重新打开。',
    called_from_cloud: '请求由厂商的服务器发出，而不是您的电脑。',
    called_from_container: '在容器中，127.0.0.1 指的是容器本身。请填写容器可以访问到本网关的地址。',
    model_from_list: '它会自行读取模型列表，请在其中选择模型。',
    opened_in_vs_code:
      '打开此文件：在命令面板中运行“Chat: Manage Language Models”，然后选择 Add Models → Custom Endpoint。',
    opened_in_raycast: '查找此文件：Settings → AI → Custom Providers → Reveal Providers Config。',
    use_chat_completions: '如果它还提供 Responses API 选项，请对不支持的模型关闭该选项。',
  },
  unavailable: {
    no_models: '此密钥目前无法调用任何模型。',
    no_chat_model: '此密钥可用的模型中没有对话模型，而该客户端需要对话模型。',
    no_model_of_protocol: '此密钥可用的模型都不支持该客户端所需的协议。',
  },
  inApp: (english, chinese) => (chinese === null ? english : `${chinese}（${english}）`),
  warnings: {
    key_reaches_web_server:
      '密钥会成为网址的一部分，并出现在对方服务器的日志和浏览器历史记录中。请使用额度很小的密钥，用完即删。',
    key_in_web_address: '密钥会成为网址的一部分，并保留在浏览器历史记录中。',
    new_entry_each_time: '每次点击都会新增一个条目，旧条目请在应用中删除。',
    scan_with_phone: '请用手机上的应用扫码。任何拍到二维码的人都能获得密钥。',
  },
}
