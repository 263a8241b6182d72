import type { FaultTexts } from './faults-en.ts'

export const faultsZhCn: FaultTexts = {
  key_missing: {
    title: '未携带密钥',
    cause: '请求中没有 API 密钥，网关会读取的请求头里都没有找到。',
    remedy: '请在客户端填入密钥。它应放在 “Authorization: Bearer …” 或 “x-api-key” 请求头中，不要写进网址。',
  },
  key_malformed: {
    title: '密钥不完整',
    cause: '收到的内容不可能是有效密钥：缺了一段、改了字符，或者夹带了空格、引号。',
    remedy: '请重新完整复制密钥，前后不要带任何字符。如果已经找不到原文，请轮换密钥。',
  },
  key_unknown: {
    title: '无此密钥',
    cause: '本网关没有这个密钥。常见原因是填了模型厂商自己的密钥，或沿用了以前的配置。',
    remedy: '请在客户端换上本网关的密钥，并检查其设置和环境变量中是否留有旧密钥。',
  },
  key_deleted: {
    title: '密钥已删除',
    cause: '这个密钥曾经存在，但已被删除，无法恢复。',
    remedy: '请新建一个密钥，并更新到这个客户端。',
  },
  key_disabled: {
    title: '密钥已停用',
    cause: '这个密钥已被停用。',
    remedy: '可在“API 密钥”页重新启用，原密钥立即恢复可用。如果是因为泄露而停用，请新建密钥。',
  },
  key_expired: {
    title: '密钥已过期',
    cause: '密钥的有效期已过。',
    remedy: '可在“API 密钥”页延长有效期，密钥本身不变。',
  },
  account_disabled: {
    title: '账户已停用',
    cause: '该密钥所属的账户已被停用，名下所有密钥都不可用。',
    remedy: '请联系管理员，并提供请求 ID。',
  },
  ip_not_allowed: {
    title: '来源地址不允许',
    cause: '这个密钥只允许从指定地址使用，而请求来自其他地址。',
    remedy: '请编辑密钥并加入该地址；如果地址经常变化，可加入整个网段。VPN 和 IPv6 是常见原因。',
  },
  group_disabled: {
    title: '分组已停用',
    cause: '密钥所属的分组已停用，备用分组也都不可用。',
    remedy: '请把密钥换到其他分组，或向管理员询问替代的分组。',
  },
  group_forbidden: {
    title: '分组需要订阅',
    cause: '该分组只对拥有相应有效订阅的账户开放，而此账户目前没有。',
    remedy: '请在“账单”页续订或使用兑换码，或者把密钥换到其他分组。',
  },
  model_not_in_group: {
    title: '分组内无此模型',
    cause: '模型存在，但密钥的所有分组都不包含它。',
    remedy: '请改用这个密钥可调用的模型，或把密钥换到包含该模型的分组。“模型”页可以查看。',
  },
  model_not_allowed: {
    title: '密钥不允许此模型',
    cause: '这个密钥限定了可用的模型，而该模型不在其中。',
    remedy: '请编辑密钥并允许该模型，或换用其他密钥。许多客户端还会调用一个小模型，也请一并允许。',
  },
  model_unknown: {
    title: '无此模型',
    cause: '没有这个名称的模型。常见原因是客户端的默认模型，或客户端自动加上的前缀。',
    remedy: '请从“模型”页复制名称填入客户端，客户端使用的小模型也要一并设置。',
  },
  balance_exhausted: {
    title: '余额不足',
    cause: '余额不够支付这次请求可能产生的最高费用；该金额会在发送前预留。',
    remedy: '请充值。如果还有少量余额，可以减少最大输出、改用流式，或减少同时发出的请求。',
  },
  key_quota_exhausted: {
    title: '密钥额度已用完',
    cause: '这个密钥设有自己的额度，这次请求可能会超出。',
    remedy: '请等待额度重置，或在“API 密钥”页提高额度。提高之前，建议先看看额度用在了哪里。',
  },
  subscription_quota_exhausted: {
    title: '订阅额度已用完',
    cause: '订阅的某个时间窗口已用满，余额也不足以支付这次请求。',
    remedy: '请等待窗口重新开放，时间见“账单”页；也可以给余额充值。',
  },
  credential_throttled: {
    title: '错误密钥过多',
    cause: '这个地址一分钟内发来超过 120 个错误密钥，因此暂不再检查错误密钥。',
    remedy: '请停掉反复重试的客户端并改正密钥。同一地址上的有效密钥始终可用。',
  },
  rate_limited: {
    title: '达到密钥限制',
    cause: '密钥对请求数、token 数、并发数或消费设有限制，这次请求会超出。',
    remedy: '请按回应中的时间等待，减少并发，或在“API 密钥”页提高限制。',
  },
  request_invalid: {
    title: '请求无法识别',
    cause: '网关读不到必需的内容：模型、是否流式、输出上限，或者请求体不是有效的 JSON。',
    remedy: '请修改回应中指出的字段。如果请求由客户端自动生成，请更新客户端。',
  },
  body_too_large: {
    title: '请求过大',
    cause: '请求超过 32 MB，这是本网关能传输的上限。',
    remedy: '请缩小图片和文件，或新开对话：智能体每一轮都会重发全部内容。',
  },
  base_url_wrong: {
    title: '接口地址有误',
    cause: '把完整的接口路径填成了 Base URL，客户端又在后面拼接了一次路径。',
    remedy: '只填写 Base URL 即可。“API 密钥”页列出了带 /v1 和不带 /v1 的两种形式。',
  },
  path_unknown: {
    title: '路径不存在',
    cause: '这个路径下没有接口，或者请求方法不对。',
    remedy: '请与“API 密钥”页上的 Base URL 核对，并在客户端选择“OpenAI 兼容”或“Anthropic”。',
  },
  model_unpriced: {
    title: '模型未定价',
    cause: '还没有为这个模型设置价格，因此暂不提供服务，以免误成免费。',
    remedy: '请先使用其他模型，并告知管理员。',
  },
  upstream_rejected: {
    title: '被提供方拒绝',
    cause: '模型提供方检查后拒绝了请求，多半是内容过长，或带有该模型不支持的参数。',
    remedy: '请按提供方的提示处理：缩短或压缩对话，或去掉它指出的参数。',
  },
  upstream_rate_limited: {
    title: '提供方限流',
    cause: '提供方暂时不再接受本网关的请求。这不是您密钥的限制。',
    remedy: '请稍后重试，并减少并发。如果持续数小时，请告知管理员。',
  },
  upstream_overloaded: {
    title: '提供方过载',
    cause: '提供方负载过高，通往该模型的其他线路也是如此。',
    remedy: '请稍后重试，换一个模型往往就能用。',
  },
  upstream_unavailable: {
    title: '提供方不可用',
    cause: '无法连接提供方，或对方出错、中途断开。',
    remedy: '请重试。如果一直如此，请把请求 ID 告知管理员。',
  },
  upstream_malformed: {
    title: '回应无法解析',
    cause: '提供方返回了无法解析的内容。',
    remedy: '请重试；回答很长时请使用流式。如果一直如此，请告知管理员。',
  },
  upstream_timeout: {
    title: '提供方超时',
    cause: '提供方没有在规定时间内开始、继续或完成回答。',
    remedy: '请重试，减少单次请求的内容，或降低推理强度。',
  },
  draining: {
    title: '网关正在重启',
    cause: '网关即将重启，不再接受新的请求。',
    remedy: '请稍后重试，大多数客户端会自动重试。',
  },
  store_unavailable: {
    title: '数据库不可用',
    cause: '网关连接不到数据库，此时不为任何人提供服务。',
    remedy: '请稍后重试。如果持续如此，请告知管理员。',
  },
  internal: {
    title: '网关内部错误',
    cause: '网关发生了未预料到的错误。',
    remedy: '请把请求 ID 告知管理员，日志中有对应的原因。',
  },
}
