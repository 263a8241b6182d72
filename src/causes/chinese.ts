import type { FactValues, FaultFacts } from '../core/fact-values.ts'
import { affordable, amounts, limited, resets } from './chinese-limits.ts'
import { explainBy, type Explanation, isZeroLimit } from './explanation.ts'

/** Why a request was refused, in Chinese: the same facts as `english.ts`, and as much said of them. */
export const explainChinese = explainBy({
  key_missing: () => ({
    cause: '请求没有携带 API 密钥。',
    remedy:
      '请通过 “Authorization: Bearer <密钥>”（OpenAI 客户端）、“x-api-key: <密钥>”（Anthropic 客户端）或 “x-goog-api-key: <密钥>”（Gemini 客户端）发送。URL 参数（?key=）中的密钥不会被读取，因为 URL 会留在日志中。',
  }),
  account_disabled: ({ device }) => ({
    cause: `该${device === true ? '设备' : '密钥'}所属的账户已停用。`,
    remedy: '请联系本网关的管理员启用账户。',
  }),
  key_malformed: (facts) => {
    if (facts.device === true) return { cause: '设备的登录令牌不完整。', remedy: SIGN_IN_AGAIN }
    return facts.mistake === undefined ? null : (KEY_MISTAKES[facts.mistake]?.(facts) ?? null)
  },
  key_unknown: ({ foreign, access_token: isToken, end, device }) => {
    if (device === true) return { cause: '请求携带的登录令牌不是本网关签发的。', remedy: SIGN_IN_AGAIN }
    if (isToken === true) {
      return { cause: '这是访问令牌：它用于控制台 API，不能调用模型。', remedy: '请创建并使用 API 密钥。' }
    }
    if (foreign !== undefined) {
      return { cause: `这是 ${foreign} 的密钥，不是本网关的密钥。`, remedy: '请在本网关创建 API 密钥并改用它。' }
    }
    if (end === undefined) return null
    return {
      cause: `本网关没有以 ${end} 结尾的 API 密钥。`,
      remedy: '请确认该密钥属于本网关，或新建密钥。',
    }
  },
  key_deleted: ({ end, at, device }, time) => {
    if (at === undefined) return null
    if (device === true) return { cause: `此设备已于 ${time(at)} 退出登录。`, remedy: SIGN_IN_AGAIN }
    return { cause: `${keyIn(end)}已于 ${time(at)} 删除。`, remedy: '请新建密钥。' }
  },
  key_disabled: ({ end, at, device }, time) => {
    if (at === undefined) return null
    if (device === true) return { cause: `此设备已于 ${time(at)} 停用。`, remedy: '请在“设备”页面重新启用。' }
    return { cause: `${keyIn(end)}已于 ${time(at)} 停用。`, remedy: '请重新启用，或换用其他密钥。' }
  },
  key_expired: expired,
  ip_not_allowed: ({ address }) =>
    address === undefined
      ? null
      : {
          cause: `此密钥不能从 ${address} 使用。`,
          remedy: '请从允许的地址调用，或将该地址加入密钥的 IP 白名单。',
        },
  group_disabled: ({ group }) =>
    group === undefined
      ? null
      : { cause: `此密钥的分组“${group}”已停用。`, remedy: '请换用其他分组的密钥，或联系管理员启用该分组。' },
  group_forbidden: ({ group, plan, from, until }, time) => {
    if (group === undefined) return null
    const cause = `此密钥的分组“${group}”仅对订阅了相应套餐的账户开放，而此账户没有生效中的此类订阅。`
    if (plan === undefined || from === undefined || until === undefined) {
      return { cause, remedy: '请订购相应套餐，或换用其他分组的密钥。' }
    }
    return {
      cause: `${cause}套餐“${plan}”的有效期为 ${time(from)} 至 ${time(until)}。`,
      remedy: '请续订或等待其生效，也可以换用其他分组的密钥。',
    }
  },
  model_unknown: (facts) =>
    facts.model === undefined ? null : { cause: `本网关没有模型“${facts.model}”。`, remedy: callable(facts) },
  model_not_allowed: (facts) =>
    facts.model === undefined
      ? null
      : { cause: `此密钥限定了可用模型，“${facts.model}”不在其中。`, remedy: callable(facts) },
  model_not_in_group: (facts) => notInGroup(facts),
  request_invalid: ({ model, lacks }) =>
    model === undefined || lacks === undefined
      ? null
      : {
          cause: `模型“${model}”没有设置 ${lacks} 的费用，而该工具由服务商运行，可能按次收费。`,
          remedy: `请去掉该工具后重试，或请管理员在此模型的价格中为 ${lacks} 设置费用（免费则填 0）。`,
        },
  model_unpriced: ({ model, endpoint, lacks }) => {
    if (model === undefined) return null
    const where =
      endpoint === undefined ? '尚未设置价格，因此不提供服务' : `没有 ${endpoint} 的价格，因此不能在该接口使用`
    return {
      cause: `模型“${model}”${where}。`,
      remedy: `需要管理员设置${lacks === undefined ? '价格' : ` ${lacks}`}。`,
    }
  },
  balance_exhausted: (facts) => {
    if (facts.left_usd === undefined) return null
    if (facts.needed_usd === undefined) return { cause: '账户余额已用完。', remedy: '请充值。' }
    return { cause: `${amounts(facts, '账户余额')}。`, remedy: `请充值，或发送更小的请求。${affordable(facts)}` }
  },
  key_quota_exhausted: (facts, time) => {
    if (facts.limit_usd === undefined && facts.left_usd === undefined) return null
    const smaller = isZeroLimit(facts) ? '，或换用其他密钥。' : '，或换用其他密钥，也可以发送更小的请求。'
    const used = facts.needed_usd === undefined ? '此密钥的额度已用完' : amounts(facts, '此密钥的额度')
    return { cause: `${used}。${resets(facts, time)}`, remedy: `请提高密钥额度${smaller}${affordable(facts)}` }
  },
  subscription_quota_exhausted: (facts, time) => {
    const { needed_usd: needed, left_usd: left, balance_usd: balance, window } = facts
    if (left === undefined) return null
    if (needed === undefined) {
      return { cause: `订阅额度和账户余额均已用完。${resets(facts, time)}`, remedy: '请为余额充值。' }
    }
    const others = balance === undefined ? '' : `账户余额为 $${balance}，同样不足。`
    return {
      cause: `${amounts(facts, `订阅${window === undefined ? '' : ` ${window} `}的额度`)}。${resets(facts, time)}${others}`,
      remedy: `请为余额充值，或发送更小的请求。${affordable(facts)}`,
    }
  },
  credential_throttled: ({ max }) =>
    max === undefined
      ? null
      : {
          cause: `该地址在一分钟内发出了超过 ${max} 次携带无效 API 密钥的请求。`,
          remedy: '请更正密钥后重试。自动生成的密钥，以及此前在该地址使用过的自定义密钥不受影响。',
        },
  rate_limited: (facts, time) => limited(facts, time),
  body_too_large: ({ limit_mb: limit }) =>
    limit === undefined
      ? null
      : { cause: `请求体超过本网关的上限 ${limit} MB。`, remedy: '请减少内容，或用 URL 引用大文件。' },
  base_url_wrong: ({ enter }) =>
    enter === undefined
      ? null
      : {
          cause: '客户端填写的 Base URL 包含了完整的接口路径。',
          remedy: `请将 Base URL 填写为 ${enter}，其余部分由客户端自动追加。`,
        },
  path_unknown: ({ path, method, takes, served, origin }) => {
    if (path === undefined) return null
    if (takes !== undefined) {
      return {
        cause: `${path} 只接受 ${takes} 请求${method === undefined ? '' : `，不接受 ${method}`}。`,
        remedy: `请改用 ${takes} 发送。`,
      }
    }
    if (served !== undefined) {
      return {
        cause: `本网关不提供 ${method === undefined ? '' : `${method} `}${path}。`,
        remedy: `这类接口中可用的有：${served.replaceAll(/ and |, /g, '、')}。Base URL 本身没有问题。`,
      }
    }
    if (origin === undefined) return null
    return {
      cause: `${path} 没有对应的接口。`,
      remedy: `OpenAI 客户端的 Base URL 是 ${origin}/v1，Anthropic 和 Gemini 客户端的是 ${origin}。`,
    }
  },
  upstream_rate_limited: ({ why }) =>
    why === 'too_large'
      ? {
          cause: '仅本次请求就超过了模型服务商每分钟可接受的量。',
          remedy: '请缩短请求，或使用其他模型。',
        }
      : null,
  upstream_unavailable: ({ why, endpoint }) => {
    if (why !== 'endpoint') return (why === undefined ? undefined : UNAVAILABLE[why]) ?? null
    if (endpoint === undefined) return null
    return {
      cause: '模型服务商没有这个接口，或该模型不支持它。',
      remedy: `请改为调用 ${endpoint}，或在此接口使用其他模型。`,
    }
  },
})

/** Why no upstream answered, where it takes no more than a sentence. */
const UNAVAILABLE: { readonly [W in FactValues['why']]?: Explanation } = {
  credential: {
    cause: '无法调用该模型：其上游配置有误。',
    remedy: '需要管理员更正上游的凭据。',
  },
  model_missing: {
    cause: '无法调用该模型：服务商没有为其配置的模型名称。',
    remedy: '需要管理员更正目标的模型名称。',
  },
  path_missing: { cause: '无法调用该模型：服务商没有所请求的路径。', remedy: '需要管理员更正上游的 Base URL。' },
  not_found: {
    cause: '无法调用该模型：服务商没有该模型，或不允许本网关使用。',
    remedy: '需要管理员更正模型名称、Base URL 或使用权限。',
  },
  forbidden: { cause: '无法调用该模型：服务商不允许本网关使用。', remedy: '需要管理员在服务商处取得使用权限。' },
  redirect: { cause: '无法调用该模型：其上游的 Base URL 会重定向。', remedy: '需要管理员更正 Base URL。' },
  no_credential: {
    cause: '网关没有可用于该模型的上游凭据：所有凭据均已停用或过期。',
    remedy: '需要管理员启用或更换凭据，在此之前重试无效。',
  },
  no_credit: { cause: '无法调用该模型：服务商处的账户余额已用完。', remedy: '需要管理员在服务商处充值。' },
  unreachable: { cause: '目前无法连接到该模型的服务商。', remedy: '请稍后重试。' },
  failed: { cause: '该模型的服务商返回了错误，没有给出回答。', remedy: '请稍后重试。' },
  broken_off: { cause: '该模型的回答在结束之前中断了。', remedy: '请重试。' },
  no_target: { cause: '目前没有上游可以处理对该模型的请求。', remedy: '请稍后重试。' },
  until_midnight: {
    cause: 'UTC 零点之前，没有上游可以处理对该模型的请求。',
    remedy: '请在零点后重试，或使用其他模型。',
  },
}

function notInGroup(facts: FaultFacts): Explanation | null {
  const { model, groups = [], why } = facts
  const named = groups.map((group) => `“${group}”`).join('、')
  if (model === undefined) {
    if (groups.length === 0) return null
    return {
      cause: `此密钥的分组${named}中，目前没有${why === 'limited' ? '密钥所限定的' : '可调用的'}模型。`,
      remedy: '请换用其他分组的密钥，或联系管理员在分组中添加模型。',
    }
  }
  const what =
    why === 'untargeted'
      ? {
          cause: `此密钥的分组${named}不提供模型“${model}”：没有面向该分组的目标。`,
          remedy: '请换用其他分组的密钥，或联系管理员添加目标。',
        }
      : { cause: `此密钥的分组${named}中没有模型“${model}”。`, remedy: '请换用其他分组的密钥。' }
  return { cause: what.cause, remedy: what.remedy + callable(facts) }
}

/** What the key can call instead. */
function callable({ near = [], allowed = [], has_more: hasMore }: FaultFacts): string {
  const quote = (name: string): string => `“${name}”`
  if (near.length > 0) return `您要找的是不是${near.map(quote).join('或')}？`
  if (allowed.length === 0) return '此密钥目前不能调用任何模型。'
  return `此密钥可调用${allowed.map(quote).join('、')}${hasMore === true ? ' 等模型，完整列表见 GET /v1/models' : ''}。`
}

/** What is wrong with what was presented as a key, in Chinese. */
const KEY_MISTAKES: Readonly<Record<FactValues['mistake'], (facts: FaultFacts) => Explanation | null>> = {
  empty: () => ({ cause: 'API 密钥为空。', remedy: '请填写用于存放密钥的变量或字段。' }),
  variable: () => ({
    cause: '发送的是变量名而不是 API 密钥：变量没有被替换成实际的值。',
    remedy: '请设置该变量，并确认所用程序的变量写法。',
  }),
  placeholder: () => ({
    cause: '发送的是占位文字而不是 API 密钥：客户端的密钥字段或变量还没有填写。',
    remedy: '请在该处填写密钥。',
  }),
  shortened: () => ({
    cause: '发送的是列表中显示的缩略密钥。',
    remedy: '请使用创建密钥时显示的完整内容。',
  }),
  bearer_twice: () => ({
    cause: '“Bearer”出现了两次：客户端会自动添加这个词。',
    remedy: '请只填写 API 密钥本身。',
  }),
  header: () => ({ cause: '密钥字段中填写了整个请求头。', remedy: '请只填写密钥，去掉前面的请求头名称。' }),
  assignment: () => ({ cause: '密钥字段中填写了整行变量赋值。', remedy: '请只填写 “=” 后面的内容。' }),
  quoted: ({ end }) => ({ cause: `${keyIn(end)}两端带有引号。`, remedy: '请去掉引号。' }),
  white_space: ({ where, line_break: isLineBreak }) => ({
    cause: `API 密钥的${where === 'inside' ? '中间' : '前后'}有${isLineBreak === true ? '换行' : '空白字符'}。`,
    remedy: '请重新复制，保持在一行内，前后不要带任何内容。',
  }),
  characters: ({ characters = [] }) =>
    characters.length === 0
      ? null
      : {
          cause: `API 密钥中含有 ${characters.slice(0, 3).join('、')}${characters.length > 3 ? ' 等字符' : ''}，本网关的密钥不会包含这些字符。`,
          remedy: '请重新复制，密钥只包含字母、数字、“-”和“_”。',
        },
  missing: ({ missing, where, end }) => {
    if (missing === undefined) return null
    return where === 'start'
      ? {
          cause: `${keyIn(end)}缺少开头的 ${missing} 个字符：密钥以 “sk-tg-” 开头。`,
          remedy: '请从开头重新复制。',
        }
      : { cause: `${keyIn(end)}不完整，末尾缺少 ${missing} 个字符。`, remedy: '请重新复制，直到最后一个字符。' }
  },
  case: ({ end }) => ({ cause: `${keyIn(end)}的字母大小写被改动了。`, remedy: '请重新复制。' }),
  twice: ({ end }) => ({ cause: `${keyIn(end)}被粘贴了两次。`, remedy: '请只填写一次。' }),
  extra: ({ extra, end }) =>
    extra === undefined
      ? null
      : { cause: `${keyIn(end)}多出 ${extra} 个字符。`, remedy: '请重新复制，不要超出密钥的末尾。' },
  checksum: ({ end }) => ({
    cause: `${keyIn(end)}已损坏：长度正确，但校验码不符。`,
    remedy: '请重新复制。',
  }),
  too_long: ({ length }) =>
    length === undefined
      ? null
      : { cause: `密钥字段中有 ${length} 个字符，远远超过密钥的长度。`, remedy: '请只填写创建时显示的密钥。' },
}

/** Explains a key that has ended, or a secret that was replaced. */
/** A sign-in by the device's own client, or by the command line for all others. */
const SIGN_IN_AGAIN = '请重新登录：在 Claude Code 中输入 /login，其他客户端请运行 “tollgate login”。'

function expired(
  { end, at, replaced, new_end: newEnd, device }: FaultFacts,
  time: (text: string) => string,
): Explanation | null {
  if (device === true) {
    return {
      cause: at === undefined ? '此设备的登录已过期。' : `此设备的登录已于 ${time(at)} 过期。`,
      remedy: SIGN_IN_AGAIN,
    }
  }
  if (replaced === true) {
    return {
      cause: `${keyIn(end)}已被轮换后的新密钥取代，${at === undefined ? '现已失效' : `已于 ${time(at)} 失效`}。`,
      remedy: newEnd === undefined ? '请改用新密钥。' : `请改用以 ${newEnd} 结尾的新密钥。`,
    }
  }
  if (at === undefined) return null
  return { cause: `${keyIn(end)}已于 ${time(at)} 过期。`, remedy: '请延长有效期，或新建密钥。' }
}

/** Names the key by the end of its secret. */
function keyIn(end: string | undefined): string {
  return end === undefined ? 'API 密钥' : `以 ${end} 结尾的 API 密钥`
}
