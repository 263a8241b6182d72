import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'

export type Protocol = NonNullable<UpstreamProbeView['protocol']>
export type Dialect = NonNullable<UpstreamView['dialect']>

/** The places in which vendors are listed, in this order. */
export const VENDOR_GROUPS = ['makers', 'clouds', 'hosts', 'local', 'others'] as const

/** An address of a vendor whose keys are good there alone. */
interface VendorSite {
  /** What tells it from the vendor's other sites; null: it has one. */
  readonly at: 'international' | 'mainland' | 'us' | null
  readonly baseUrl: string
  /** The page on which its keys are made. */
  readonly keys: string
}

export interface Vendor {
  readonly name: string
  /** What else it is known by: its models, its company. Shown beside the name, and found by a search. */
  readonly also: string
  readonly group: (typeof VENDOR_GROUPS)[number]
  /** Where it answers. Empty: an admin knows the address, or it is made of what a cloud asks for. */
  readonly sites: readonly VendorSite[]
  /** The protocols it is asked in, the likeliest first; an admin chooses where there are several. Empty: it is found out. */
  readonly protocols: readonly Protocol[]
  /** null: it is asked as its protocol says. */
  readonly dialect: Dialect | null
  /** The ways to a credential, as `kind.source` of `core/credential-kind.ts`, the likeliest first. */
  readonly credentials: readonly [string, ...string[]]
  /** How the lists of prices call it; empty: the host tells. */
  readonly prices: readonly string[]
  /** A base URL as it is found there, where one is asked for. */
  readonly example?: string
  /** The hosts that are its own, by the end of their names. */
  readonly hosts?: readonly string[]
}

const SECRET = ['static.secret'] as const
const BY_KEY = { dialect: null, credentials: SECRET, prices: [] } as const
const CHAT = { ...BY_KEY, protocols: ['openai-chat'] } as const

/** The vendors that an upstream is set up for by name: a row each. Addresses are those of their own documentation. */
const VENDORS = {
  openai: {
    ...BY_KEY,
    name: 'OpenAI',
    also: 'GPT',
    group: 'makers',
    protocols: ['openai'],
    // Workload identity federation: see `oidc` in `core/credential-kind.ts`.
    credentials: ['static.secret', 'oidc.openai'],
    sites: [{ at: null, baseUrl: 'https://api.openai.com/v1', keys: 'https://platform.openai.com/api-keys' }],
  },
  anthropic: {
    ...BY_KEY,
    name: 'Anthropic',
    also: 'Claude',
    group: 'makers',
    protocols: ['anthropic'],
    credentials: ['static.secret', 'oidc.anthropic'],
    sites: [{ at: null, baseUrl: 'https://api.anthropic.com', keys: 'https://platform.claude.com/settings/keys' }],
  },
  google: {
    ...BY_KEY,
    name: 'Google',
    also: 'Gemini',
    group: 'makers',
    protocols: ['gemini'],
    sites: [
      {
        at: null,
        baseUrl: 'https://generativelanguage.googleapis.com',
        keys: 'https://aistudio.google.com/apikey',
      },
    ],
  },
  deepseek: {
    ...CHAT,
    name: 'DeepSeek',
    also: '',
    group: 'makers',
    sites: [{ at: null, baseUrl: 'https://api.deepseek.com/v1', keys: 'https://platform.deepseek.com/api_keys' }],
  },
  moonshot: {
    ...CHAT,
    name: 'Moonshot',
    also: 'Kimi',
    group: 'makers',
    prices: ['moonshot'],
    // Keys of one are refused by the other (langgenius/dify-official-plugins 3460, openclaw/openclaw 25227).
    sites: [
      {
        at: 'international',
        baseUrl: 'https://api.moonshot.ai/v1',
        keys: 'https://platform.moonshot.ai/console/api-keys',
      },
      {
        at: 'mainland',
        baseUrl: 'https://api.moonshot.cn/v1',
        keys: 'https://platform.moonshot.cn/console/api-keys',
      },
    ],
  },
  zhipu: {
    ...CHAT,
    name: 'Zhipu',
    also: 'GLM, Z.ai',
    group: 'makers',
    prices: ['zai'],
    sites: [
      {
        at: 'mainland',
        baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
        keys: 'https://bigmodel.cn/usercenter/proj-mgmt/apikeys',
      },
      {
        at: 'international',
        baseUrl: 'https://api.z.ai/api/paas/v4',
        keys: 'https://z.ai/manage-apikey/apikey-list',
      },
    ],
  },
  qwen: {
    ...CHAT,
    name: 'Qwen',
    also: 'Alibaba Cloud',
    group: 'makers',
    prices: ['dashscope'],
    // https://www.alibabacloud.com/help/en/model-studio/base-url: keys are good in the region they were made in.
    sites: [
      {
        at: 'mainland',
        baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
        keys: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
      },
      {
        at: 'international',
        baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
        keys: 'https://modelstudio.console.alibabacloud.com/?tab=playground#/api-key',
      },
      {
        at: 'us',
        baseUrl: 'https://dashscope-us.aliyuncs.com/compatible-mode/v1',
        keys: 'https://modelstudio.console.alibabacloud.com/us-east-1?tab=playground#/api-key',
      },
    ],
  },
  mistral: {
    ...CHAT,
    name: 'Mistral',
    also: '',
    group: 'makers',
    sites: [{ at: null, baseUrl: 'https://api.mistral.ai/v1', keys: 'https://console.mistral.ai/api-keys' }],
  },
  xai: {
    ...CHAT,
    name: 'xAI',
    also: 'Grok',
    group: 'makers',
    sites: [{ at: null, baseUrl: 'https://api.x.ai/v1', keys: 'https://console.x.ai/team/default/api-keys' }],
  },
  azure: {
    name: 'Azure OpenAI',
    also: 'Microsoft Foundry',
    group: 'clouds',
    sites: [],
    protocols: ['openai', 'openai-chat', 'anthropic'],
    dialect: 'azure',
    credentials: [
      'static.secret',
      'azure.client_secret',
      'azure.client_certificate',
      'azure.managed_identity',
      'azure.workload_identity',
    ],
    prices: ['azure', 'azure_ai'],
    example: 'https://my-resource.openai.azure.com',
    hosts: ['.openai.azure.com', '.cognitiveservices.azure.com', '.services.ai.azure.com', '.openai.azure.us'],
  },
  bedrock: {
    name: 'Amazon Bedrock',
    also: 'AWS',
    group: 'clouds',
    sites: [],
    protocols: ['anthropic', 'converse', 'openai-chat'],
    dialect: 'bedrock',
    credentials: ['static.secret', 'aws.keys', 'aws.profile', 'aws.instance', 'aws.pod'],
    prices: ['bedrock'],
    example: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    hosts: ['.amazonaws.com', '.amazonaws.com.cn'],
  },
  vertex: {
    name: 'Google Vertex AI',
    also: 'Google Cloud',
    group: 'clouds',
    sites: [],
    protocols: ['gemini', 'anthropic', 'openai-chat'],
    dialect: 'vertex',
    credentials: ['gcp.service_account', 'gcp.workload_identity', 'gcp.metadata', 'static.secret'],
    prices: ['vertex_ai'],
    example: 'https://aiplatform.googleapis.com',
    hosts: ['aiplatform.googleapis.com', '.rep.googleapis.com'],
  },
  openrouter: {
    ...CHAT,
    name: 'OpenRouter',
    also: '',
    group: 'hosts',
    sites: [{ at: null, baseUrl: 'https://openrouter.ai/api/v1', keys: 'https://openrouter.ai/settings/keys' }],
  },
  groq: {
    ...CHAT,
    name: 'Groq',
    also: '',
    group: 'hosts',
    sites: [{ at: null, baseUrl: 'https://api.groq.com/openai/v1', keys: 'https://console.groq.com/keys' }],
  },
  together: {
    ...CHAT,
    name: 'Together AI',
    also: '',
    group: 'hosts',
    prices: ['together_ai'],
    sites: [{ at: null, baseUrl: 'https://api.together.xyz/v1', keys: 'https://api.together.ai/settings/api-keys' }],
  },
  fireworks: {
    ...CHAT,
    name: 'Fireworks AI',
    also: '',
    group: 'hosts',
    sites: [
      {
        at: null,
        baseUrl: 'https://api.fireworks.ai/inference/v1',
        keys: 'https://app.fireworks.ai/settings/users/api-keys',
      },
    ],
  },
  ollama: {
    ...CHAT,
    name: 'Ollama',
    also: '',
    group: 'local',
    sites: [],
    example: 'http://127.0.0.1:11434/v1',
  },
  vllm: { ...CHAT, name: 'vLLM', also: '', group: 'local', sites: [], example: 'http://127.0.0.1:8000/v1' },
  gateway: {
    ...BY_KEY,
    // Named by the dictionaries.
    name: 'Gateway',
    also: 'LiteLLM, new-api, sub2api',
    group: 'others',
    protocols: [],
    sites: [],
    example: 'https://gateway.example.com/v1',
  },
  other: {
    ...BY_KEY,
    name: 'Other',
    also: '',
    group: 'others',
    protocols: [],
    sites: [],
    example: 'https://api.example.com/v1',
  },
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorId = keyof typeof VENDORS

const ROWS: Readonly<Record<VendorId, Vendor>> = VENDORS

export const VENDOR_IDS = Object.keys(VENDORS) as readonly VendorId[]

/** The row of a vendor, by the type of all rows. */
export function vendorOf(id: VendorId): Vendor {
  return ROWS[id]
}

/** The protocols that a cloud is asked in. */
export function protocolsOf(dialect: string): readonly Protocol[] {
  const cloud = VENDOR_IDS.find((id) => vendorOf(id).dialect === dialect)
  return cloud === undefined ? [] : vendorOf(cloud).protocols
}

/** The ways to a credential of an upstream, as `kind.source`: those of its cloud or vendor, and a secret at least. */
export function sourcesOf({ dialect, base_url: url }: Pick<UpstreamView, 'dialect' | 'base_url'>): readonly string[] {
  const own = VENDOR_IDS.find((id) => {
    const { dialect: cloud, sites } = vendorOf(id)
    return dialect === null ? sites.some(({ baseUrl }) => baseUrl === url) : cloud === dialect
  })
  return own === undefined ? SECRET : vendorOf(own).credentials
}

/** The cloud whose address this is; null: of none. */
export function cloudOf(url: string): VendorId | null {
  const hostname = URL.parse(url)?.hostname ?? ''
  if (hostname === '') return null
  return VENDOR_IDS.find((id) => vendorOf(id).hosts?.some((host) => hostname.endsWith(host))) ?? null
}
