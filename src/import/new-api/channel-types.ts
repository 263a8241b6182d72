import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import type { ProductWithDatabase } from '../import-plan.ts'

/** What a channel of a type is here. */
export interface ChannelType {
  readonly protocol: RemoteProtocol
  /** The base URL of the provider, where the channel names none, as the source has it built in; null: the channel has to name one. */
  readonly base: string | null
  /** What the source puts between that, or what the channel names, and the path of the protocol. */
  readonly path: string
  /**
   * The path at which it is asked for chats there, in a form of its own: so its credentials are disabled here, though its
   * provider may take the protocol as well.
   */
  readonly instead?: string
}

type NewApiProduct = Exclude<ProductWithDatabase, 'sub2api'>

/** Where the two products mean the same by a number: `relay/channeltype` of one-api, `constant/channel.go` of new-api. */
const SHARED: Readonly<Record<string, ChannelType>> = {
  '1': chat('https://api.openai.com'),
  '6': chat('https://api.openaimax.com'),
  '7': chat('https://api.ohmygpt.com'),
  '9': chat('https://api.caipacity.com'),
  '10': chat('https://api.aiproxy.io'),
  '12': chat('https://api.api2gpt.com'),
  '13': chat('https://api.aigc2d.com'),
  '14': { protocol: 'anthropic', base: 'https://api.anthropic.com', path: '/v1' },
  '20': chat('https://openrouter.ai/api'),
  '22': chat('https://fastgpt.run/api/openapi'),
  '24': { protocol: 'gemini', base: 'https://generativelanguage.googleapis.com', path: '/v1beta' },
  '25': chat('https://api.moonshot.cn'),
  '31': chat('https://api.lingyiwanwu.com'),
}

const TYPES: Readonly<Record<NewApiProduct, Readonly<Record<string, ChannelType>>>> = {
  'new-api': {
    ...SHARED,
    '4': { ...chat('http://localhost:11434'), instead: '/api/chat' },
    // Whole addresses, which `addressOf` reads.
    '8': chat(null, ''),
    '16': { ...chat('https://open.bigmodel.cn', '/api/paas/v4'), instead: '/api/paas/v3/model-api' },
    '17': chat('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
    '19': chat('https://api.360.cn'),
    '26': chat('https://open.bigmodel.cn', '/api/paas/v4'),
    '27': chat('https://api.perplexity.ai', ''),
    '34': { ...chat('https://api.cohere.ai', '/compatibility/v1'), instead: '/v1/chat' },
    '35': { ...chat('https://api.minimax.chat'), instead: '/v1/text/chatcompletion_v2' },
    '38': { ...chat('https://api.jina.ai'), instead: '/v1/embeddings and /v1/rerank alone' },
    '39': chat('https://api.cloudflare.com', ''),
    '40': chat('https://api.siliconflow.cn'),
    '42': chat('https://api.mistral.ai'),
    '43': chat('https://api.deepseek.com'),
    '45': chat('https://ark.cn-beijing.volces.com', '/api/v3'),
    '46': chat('https://qianfan.baidubce.com', '/v2'),
    '47': chat(null),
    '48': chat('https://api.x.ai'),
    '53': chat('https://llm.submodel.ai'),
  },
  'one-api': {
    ...SHARED,
    '2': chat('https://oa.api2d.net'),
    '4': chat('https://api.closeai-proxy.xyz'),
    '5': chat('https://api.openai-sb.com'),
    '8': chat(null),
    '16': { ...chat('https://open.bigmodel.cn', '/api/paas/v4'), instead: '/api/paas/v3/model-api' },
    '17': {
      ...chat('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
      instead: '/api/v1/services/aigc/text-generation/generation',
    },
    '19': chat('https://ai.360.cn'),
    '26': chat('https://api.baichuan-ai.com'),
    '27': { ...chat('https://api.minimax.chat'), instead: '/v1/text/chatcompletion_v2' },
    '28': chat('https://api.mistral.ai'),
    '29': chat('https://api.groq.com/openai'),
    '30': { ...chat('http://localhost:11434'), instead: '/api/chat' },
    '32': chat('https://api.stepfun.com'),
    '35': { ...chat('https://api.cohere.ai', '/compatibility/v1'), instead: '/v1/chat' },
    '36': chat('https://api.deepseek.com'),
    '37': chat('https://api.cloudflare.com', ''),
    '39': chat('https://api.together.xyz'),
    '40': chat('https://ark.cn-beijing.volces.com', '/api/v3'),
    '41': chat('https://api.novita.ai/v3/openai', ''),
    '44': chat('https://api.siliconflow.cn'),
    '45': chat('https://api.x.ai'),
    '47': chat('https://qianfan.baidubce.com', '/v2'),
    '48': chat('https://spark-api-open.xf-yun.com'),
    '49': chat('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
    '50': chat(null, ''),
    '51': chat('https://generativelanguage.googleapis.com/v1beta/openai', ''),
  },
}

/** The types whose channels are more than a base and a path. */
export const OPENAI = '1'
export const CUSTOM = '8'
export const GEMINI = '24'
export const MOONSHOT = '25'
/** Types by their numbers in new-api alone. */
export const ZHIPU_V4 = '26'
export const VOLC_ENGINE = '45'
export const BAIDU_V2 = '46'
export const CLOUDFLARE: Readonly<Record<NewApiProduct, string>> = { 'new-api': '39', 'one-api': '37' }

/** A subscription of a person at a provider, and not a credential of an API. */
const PERSONAL = '57'

/** null: channels of this type cannot be carried. */
export function channelType(product: ProductWithDatabase, number: string): ChannelType | null {
  return product === 'sub2api' ? null : (TYPES[product][number] ?? null)
}

export function isPersonal(product: ProductWithDatabase, number: string): boolean {
  return product === 'new-api' && number === PERSONAL
}

function chat(base: string | null, path = '/v1'): ChannelType {
  return { protocol: 'openai-chat', base, path }
}
