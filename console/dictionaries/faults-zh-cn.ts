import type { FaultTexts } from './fault-text.ts'

export const texts: FaultTexts = {
  key_missing: {
    title: '请求未携带 API 密钥',
    cause: '在网关读取的请求头中没有找到 API 密钥。',
    remedy:
      '请在客户端填写 API 密钥，并通过 “Authorization: Bearer”、“x-api-key” 或 “x-goog-api-key” 请求头发送，不要写进 URL。',
  },
  key_malformed: {
    title: 'API 密钥格式无效',
    cause: '收到的内容不是有效的密钥：可能缺少或改动了字符，或者混入了空格、引号。',
    remedy: '请重新复制完整密钥，并保持在一行内。如果已无法找回，请轮换密钥以获取新的密钥。',
  },
  key_unknown: {
    title: 'API 密钥不存在',
    cause: '本网关没有这个密钥。常见原因是填写了模型服务商的密钥，或沿用了旧配置中的密钥。',
    remedy: '请在客户端填写本网关的密钥，并检查客户端设置和环境变量中是否残留旧密钥。',
  },
  key_deleted: {
    title: 'API 密钥已删除',
    cause: '该密钥已被删除，无法恢复。',
    remedy: '请新建密钥，并在客户端中更新。',
  },
  key_disabled: {
    title: 'API 密钥已停用',
    cause: '该密钥当前处于停用状态。',
    remedy: '在“API 密钥”页面重新启用后，原密钥立即可用。如果因泄露而停用，请改为新建密钥。',
  },
  key_expired: {
    title: 'API 密钥已过期',
    cause: '密钥的有效期已过，或已通过轮换被新密钥替换。',
    remedy: '可在“API 密钥”页面延长有效期，密钥本身不变。如果密钥已轮换，请改用新密钥。',
  },
  account_disabled: {
    title: '账户已停用',
    cause: '该密钥所属的账户已停用，账户下的所有密钥都无法使用。',
    remedy: '请联系管理员启用账户，并提供请求 ID。',
  },
  ip_not_allowed: {
    title: 'IP 地址不在白名单内',
    cause: '该密钥只允许从指定的 IP 地址使用，而本次请求来自其他地址。',
    remedy: '请在“API 密钥”页面将该地址加入 IP 白名单；如果地址经常变化，可加入整个网段。VPN 和 IPv6 是常见原因。',
  },
  group_disabled: {
    title: '分组已停用',
    cause: '密钥所属的分组已停用，且没有可用的备用分组。',
    remedy: '请在“API 密钥”页面将密钥移到其他分组，或联系管理员启用该分组。',
  },
  group_forbidden: {
    title: '分组需要订阅套餐',
    cause: '该分组仅对订阅了相应套餐的账户开放，而此账户没有生效中的订阅。',
    remedy: '请在“账单”页面续订或使用兑换码，也可以将密钥移到其他分组。',
  },
  model_not_in_group: {
    title: '分组中没有该模型',
    cause: '该模型存在，但不在此密钥的任何分组中。',
    remedy: '请改用此密钥可调用的模型，或将密钥移到包含该模型的分组。两者都可在“模型”页面查看。',
  },
  model_not_allowed: {
    title: '密钥不允许使用该模型',
    cause: '此密钥限定了可用模型，该模型不在其中。',
    remedy: '请在“API 密钥”页面将其加入可用模型，或换用其他密钥。许多客户端还会调用一个小模型，也需要一并允许。',
  },
  model_unknown: {
    title: '模型不存在',
    cause: '本网关没有这个名称的模型。常见原因是使用了客户端的默认模型，或客户端自动添加了前缀。',
    remedy: '请从“模型”页面复制模型名称填入客户端，客户端使用的小模型也要一并设置。',
  },
  balance_exhausted: {
    title: '余额不足',
    cause: '余额不足以支付本次请求可能产生的最高费用，该金额会在发送请求前预留。',
    remedy: '请充值。如果仍有少量余额，可以减少最大输出 Token 数、使用流式输出，或减少并发请求。',
  },
  key_quota_exhausted: {
    title: '密钥额度已用完',
    cause: '该密钥设有消费额度，本次请求可能会超出。',
    remedy: '请在“API 密钥”页面提高额度；如果设置了重置周期，也可以等待重置。建议先查看该密钥的用量。',
  },
  subscription_quota_exhausted: {
    title: '订阅额度已用完',
    cause: '订阅的一项限额已用完，且余额不足以支付本次请求。',
    remedy: '请等待限额重置，时间可在“账单”页面查看；也可以为余额充值。',
  },
  credential_throttled: {
    title: '无效密钥请求过多',
    cause: '该 IP 地址在一分钟内使用无效密钥发起了超过 120 次请求，后续可能是猜测的密钥将不经检查直接被拒绝。',
    remedy:
      '请停止反复重试的客户端，并更正其密钥。自动生成的密钥以及此前在该地址使用过的自定义密钥不受影响；其他自定义密钥在这一分钟结束后恢复可用。',
  },
  rate_limited: {
    title: '达到密钥速率限制',
    cause: '该密钥限制了请求数、Token 数、并发数或消费金额，本次请求会超出限制。',
    remedy: '请减少并发请求，按响应提示的时间等待（限制为 0 时等待无效），或在“API 密钥”页面提高限制。',
  },
  request_invalid: {
    title: '请求无效',
    cause: '网关无法读取必需的内容，例如模型、流式设置、输出上限，或者请求体不是有效的 JSON。',
    remedy: '请修改提示中指出的字段。如果请求由客户端生成，请更新客户端。',
  },
  body_too_large: {
    title: '请求过大',
    cause: '请求体超过 32 MB，即本网关允许的上限。',
    remedy: '请缩小图片和文件，或开始新对话：智能体每一轮都会重新发送全部历史。',
  },
  base_url_wrong: {
    title: 'Base URL 有误',
    cause: '客户端的 Base URL 中包含了完整的接口路径，客户端又在其后追加了自己的路径。',
    remedy: '只需填写 Base URL。“API 密钥”页面列出了带 /v1 和不带 /v1 的两种形式。',
  },
  path_unknown: {
    title: '路径不存在',
    cause: '网关在该路径下没有接口，或该接口需要使用其他 HTTP 方法。',
    remedy:
      '请与“API 密钥”页面上的 Base URL 核对，并在客户端中将服务商（provider）类型设为“OpenAI 兼容”、“Anthropic”或“Gemini”。',
  },
  model_unpriced: {
    title: '模型未设置价格',
    cause: '该模型尚未设置价格，因此网关不提供服务。',
    remedy: '请使用其他模型，或联系管理员设置价格。',
  },
  upstream_rejected: {
    title: '请求被上游拒绝',
    cause: '上游拒绝了该请求，通常是因为内容过长，或使用了该模型不支持的参数。',
    remedy: '请按上游的提示处理：缩短或压缩对话，或去掉提示中指出的参数。',
  },
  upstream_rate_limited: {
    title: '上游限流',
    cause: '上游正在限制本网关的请求，这不是您的密钥的限制。',
    remedy: '请稍后重试，并减少并发请求。如果持续数小时，请联系管理员。',
  },
  upstream_overloaded: {
    title: '上游过载',
    cause: '上游负载过高，该模型没有可处理本次请求的目标。',
    remedy: '请稍后重试，或使用其他模型。',
  },
  upstream_unavailable: {
    title: '上游不可用',
    cause: '无法连接上游、上游返回了与请求无关的错误，或响应中途断开。',
    remedy: '请重试；如果提示需要管理员处理，则无需重试。问题持续时，请将请求 ID 提供给管理员。',
  },
  upstream_malformed: {
    title: '响应解析失败',
    cause: '上游返回了网关无法解析的响应。',
    remedy: '请重试；响应内容很大时请使用流式输出。如果问题持续，请联系管理员。',
  },
  upstream_timeout: {
    title: '上游响应超时',
    cause: '上游未能按时开始、继续或完成响应。',
    remedy: '请重试，减少单次请求的内容，或降低推理强度。',
  },
  draining: {
    title: '网关正在重启',
    cause: '网关正在关闭：不再接受新请求，耗时过长的请求会被中断。',
    remedy: '请稍后重试，大多数客户端会自动重试。',
  },
  store_unavailable: {
    title: '数据库不可用',
    cause: '网关无法连接数据库，因此暂停处理请求。',
    remedy: '请稍后重试。如果问题持续，请联系管理员。',
  },
  internal: {
    title: '网关内部错误',
    cause: '网关发生了意外错误。',
    remedy: '请将请求 ID 提供给管理员，凭此可在日志中查到错误。',
  },
}
