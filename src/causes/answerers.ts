/** Who answered in the gateway's place: a provider, another gateway, a program of another kind, or a proxy in front. */
export type Answerer = keyof typeof ANSWERERS

export interface Answered {
  readonly by: Answerer
  /** false: the gateway passes such words on from a provider, so that the request may have gone through it as well. */
  readonly isSure: boolean
}

/** Finds who wrote an answer by the words or ids in the text; null: none that is known. The surest first. */
export function answeredIn(text: string): Answered | null {
  // Terminals break lines inside sentences.
  const flat = text.replaceAll(/\s+/g, ' ')
  const isError = ERROR.test(flat)
  const sure = ANSWERER_NAMES.find((name) => {
    const { words, pages }: AnswererFacts = ANSWERERS[name]
    return words.some((pattern) => pattern.test(flat)) || (isError && pages?.test(flat) === true)
  })
  if (sure !== undefined) return { by: sure, isSure: true }
  const likely = PASSED_ON.find(([, pattern]) => pattern.test(flat))
  return likely === undefined ? null : { by: likely[0], isSure: false }
}

/** Whether this is the name of one. */
export function isAnswerer(text: string): text is Answerer {
  return Object.hasOwn(ANSWERERS, text)
}

/** The name of an answerer, and what it is. */
export function factsOfAnswerer(by: Answerer): AnswererFacts {
  return ANSWERERS[by]
}

interface AnswererFacts {
  readonly kind: 'provider' | 'gateway' | 'program' | 'proxy'
  readonly en: string
  readonly zh: string
  /** What it says that this gateway never does, of itself or in a provider's words: how it refuses a key, above all. */
  readonly words: readonly RegExp[]
  /** Addresses that its errors name, as the comments of config files do. */
  readonly pages?: RegExp
}

/** What tells an error from a config file. */
const ERROR = /\b(?:40[0-9]|429|error|incorrect|invalid|denied|unauthori[sz]ed|expired|failed)\b|错误|无效/i

/** The more particular before the more general. */
const ANSWERERS = {
  xai: { kind: 'provider', en: 'xAI', zh: 'xAI', words: [], pages: /console\.x\.ai/i },
  dashscope: {
    kind: 'provider',
    en: 'Alibaba Model Studio',
    zh: '阿里云百炼',
    words: [/Invalid API-key provided|"InvalidApiKey"|invalid access token or token expired/i],
    pages: /help\.aliyun\.com|bailian\.console/i,
  },
  moonshot: {
    kind: 'provider',
    en: 'Moonshot',
    zh: '月之暗面（Moonshot）',
    words: [/incorrect_api_key_error|invalid_authentication_error|\bInvalid Authentication\b(?! cred)/],
    pages: /platform\.moonshot/i,
  },
  openai: {
    kind: 'provider',
    en: 'OpenAI',
    zh: 'OpenAI',
    words: [
      /unsupported_country_region_territory/i,
      /Country, region, or territory not supported|You didn't provide an API key\. You need to provide/i,
      /does not exist or you do not have access to it|insufficient permissions for this operation/i,
      /(?:must be|You are not) a member of an organization|Codex with a ChatGPT account/i,
    ],
    pages: /platform\.openai\.com\/(?:account|api-keys)|(?:help|auth)\.openai\.com/i,
  },
  azure: {
    kind: 'provider',
    en: 'Azure OpenAI',
    zh: 'Azure OpenAI',
    words: [
      /invalid subscription key or wrong API endpoint|DeploymentNotFound|API deployment for this resource/i,
      /apim-request-id|subscription key in (?:the )?request header/i,
    ],
  },
  anthropic: {
    kind: 'provider',
    en: 'Anthropic',
    zh: 'Anthropic',
    words: [
      /invalid x-api-key|Invalid bearer token|OAuth token (?:has expired|has been revoked|does not meet)/i,
      /OAuth authentication is currently not (?:supported|allowed)|x-api-key header is required/i,
      /credit balance is too low to access the (?:Anthropic|Claude) API|only authorized for use with Claude Code/i,
      /Failed to connect to api\.anthropic\.com|authentication_error[^\n]{0,300}"request_id":\s?"req_01/i,
    ],
    pages: /console\.anthropic\.com/i,
  },
  google: {
    kind: 'provider',
    en: 'Google',
    zh: 'Google',
    words: [
      /API key not valid\. Please pass|API_KEY_INVALID|API key expired\. Please renew|allow unregistered callers/i,
      /Generative Language API has not been used|insufficient authentication scopes|API Key not found\. Please pass/i,
    ],
  },
  deepseek: {
    kind: 'provider',
    en: 'DeepSeek',
    zh: 'DeepSeek',
    words: [/Authentication Fails/],
    pages: /platform\.deepseek\.com/i,
  },
  openrouter: {
    kind: 'provider',
    en: 'OpenRouter',
    zh: 'OpenRouter',
    words: [
      /No (?:cookie )?auth credentials found|Missing Authentication header/i,
      /User not found\.?['"], ?['"]code['"]: ?401/,
    ],
    pages: /openrouter\.ai\/(?:settings|keys|credits)/i,
  },
  zhipu: {
    kind: 'provider',
    en: 'Zhipu (Z.ai)',
    zh: '智谱',
    words: [
      /令牌已过期或验证不正确|Authorization ?Token(?:已过期|非法|不能为空)|身份验证失败|token expired or incorrect/i,
      /余额不足或无可用资源包|Header中未收到Authorization/i,
    ],
  },
  siliconflow: {
    kind: 'provider',
    en: 'SiliconFlow',
    zh: '硅基流动',
    words: [/\bApi key is\s+invalid/],
    pages: /cloud\.siliconflow/i,
  },
  groq: { kind: 'provider', en: 'Groq', zh: 'Groq', words: [], pages: /console\.groq\.com/i },
  mistral: {
    kind: 'provider',
    en: 'Mistral',
    zh: 'Mistral',
    words: [/\{"message":\s?"Unauthorized",\s?"request_id"/i],
    pages: /console\.mistral\.ai/i,
  },
  aws: {
    kind: 'provider',
    en: 'Amazon Bedrock',
    zh: 'Amazon Bedrock',
    words: [
      /security token included in the request|UnrecognizedClientException|InvalidSignatureException|ExpiredTokenException/i,
      /not authorized to perform: bedrock|access to the model with the specified model ID/i,
    ],
  },
  volcengine: {
    kind: 'provider',
    en: 'Volcengine Ark',
    zh: '火山方舟',
    words: [/API key (?:in the request is missing or invalid|format is incorrect)/i],
    pages: /console\.volcengine\.com/i,
  },
  minimax: {
    kind: 'provider',
    en: 'MiniMax',
    zh: 'MiniMax',
    words: [/carry the API secret key|invalid api key \(2049\)|login fail: Please/i],
  },
  github: {
    kind: 'provider',
    en: 'GitHub',
    zh: 'GitHub',
    words: [
      /AuthenticateToken authentication failed|Authorization header is badly formatted|unauthorized: token expired/i,
    ],
  },
  litellm: {
    kind: 'gateway',
    en: 'LiteLLM',
    zh: 'LiteLLM',
    words: [
      /Invalid proxy server token|LiteLLM Virtual Key expected|LiteLLM_VerificationToken|token_not_found_in_db/i,
      /Authentication Error, No api key passed in|Invalid model name passed in model=|No deployments available for selected/i,
      /key_model_access_denied|Malformed API Key passed in/i,
    ],
  },
  new_api: {
    kind: 'gateway',
    en: 'new-api, one-api or a gateway of that kind',
    zh: 'new-api、one-api 或同类网关',
    words: [
      /无效的令牌|该令牌|令牌(?:的)?额度|无可用渠道|上游负载已饱和|无权进行此操作|用户额度不足|预扣费额度|未提供令牌/,
      /new_api_error|one_api_error|shell_api_error|(?:No|no) available channel for model|\(request id: 20\d{12}/,
    ],
  },
  ollama: {
    kind: 'program',
    en: 'Ollama',
    zh: 'Ollama',
    words: [/not found, try pulling it first|Ollama is running/i],
  },
  openai_like: {
    kind: 'program',
    en: 'OpenAI, or a server that uses its words',
    zh: 'OpenAI 或使用相同文字的服务',
    words: [
      /Incorrect API key provided|You exceeded your current quota, please check your plan/i,
      /\bThe model [`'"\\]{0,2}[\w./:@-]{1,120}[`'"\\]{0,2} does not exist/i,
    ],
  },
  fastapi: {
    kind: 'program',
    en: 'a Python server (FastAPI)',
    zh: 'Python 服务（FastAPI）',
    words: [/["']detail["']\s?:\s?["'](?:Not Found|Method Not Allowed|Not authenticated|Unauthorized)["']/],
  },
  express: {
    kind: 'program',
    en: 'a Node server (Express)',
    zh: 'Node 服务（Express）',
    words: [/Cannot (?:GET|POST) \/|Route (?:GET|POST):\/\S{0,200} not found/],
  },
  go_server: {
    kind: 'program',
    en: 'a server written in Go, such as Traefik, Ollama or another gateway',
    zh: 'Go 编写的服务，例如 Traefik、Ollama 或其他网关',
    words: [/404 page not found|405 method not allowed/],
  },
  cloudflare: {
    kind: 'proxy',
    en: 'Cloudflare',
    zh: 'Cloudflare',
    words: [
      /cloudflare\.com\/5xx|cf-error-details|<title>Just a moment|server:\s?cloudflare|\| Cloudflare<|error code:? (?:52\d|530|10\d\d)\b|\b52[0-7]:? (?:A timeout|Web server|Origin|Connection timed|SSL)/i,
    ],
  },
  envoy: {
    kind: 'proxy',
    en: 'Envoy (Istio, Higress or a service mesh)',
    zh: 'Envoy（Istio、Higress 或服务网格）',
    words: [
      /upstream connect error or disconnect|no healthy upstream|upstream request timeout|RBAC: access denied|local_rate_limited/i,
    ],
  },
  nginx: {
    kind: 'proxy',
    en: 'nginx',
    zh: 'nginx',
    words: [/<center>(?:nginx|openresty|tengine)|server:\s?(?:nginx|openresty)/i],
  },
  apache: { kind: 'proxy', en: 'Apache', zh: 'Apache', words: [/<address>Apache|server:\s?apache/i] },
  caddy: { kind: 'proxy', en: 'Caddy', zh: 'Caddy', words: [/server:\s?caddy/i] },
  load_balancer: {
    kind: 'proxy',
    en: 'a load balancer',
    zh: '负载均衡器',
    words: [/server:\s?awselb|No server is available to handle this request|<title>502 Server Error/i],
  },
  proxy: {
    kind: 'proxy',
    en: 'a proxy',
    zh: '代理服务',
    words: [/<(?:title|h1)>\s{0,9}(?:Error )?(?:40[01345]|41[134]|429|49\d|50[02345]|52\d) [A-Z]/],
  },
} as const satisfies Record<string, AnswererFacts>

const ANSWERER_NAMES = Object.keys(ANSWERERS) as Answerer[]

/** Words of providers that the gateway passes on to its callers. */
const PASSED_ON: readonly (readonly [Answerer, RegExp])[] = [
  ['anthropic', /\breq_01(?=[0-9a-z]{0,24}[A-Z])[0-9A-Za-z]{8,30}/],
  ['google', /User location is not supported|generativelanguage\.googleapis\.com|GoogleGenerativeAI Error/i],
  ['zhipu', /模型不存在，请检查模型代码|['"]code['"]\s?:\s?['"]1211['"]/],
  ['siliconflow', /Model does not exist\. Please check it carefully/],
  ['dashscope', /Access to model denied|\bInvalidParameter\b.{0,200}bailian/i],
  ['openrouter', /Provider returned error|is not a valid model ID|No endpoints found/],
]
