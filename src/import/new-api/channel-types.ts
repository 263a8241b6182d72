import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import type { ProductWithDatabase } from '../import-plan.ts'

/** What a channel of a type is here. */
export interface ChannelType {
  readonly protocol: RemoteProtocol
  /** Of the provider, where the channel names none; null: it has to. */
  readonly origin: string | null
  /** What the source puts behind it. */
  readonly path: string
}

/** Where the two products mean the same by a number. */
const SHARED: Readonly<Record<string, ChannelType>> = {
  '1': { protocol: 'openai', origin: 'https://api.openai.com', path: '/v1' },
  '6': chat('https://api.openaimax.com'),
  '7': chat('https://api.ohmygpt.com'),
  '8': chat(null),
  '14': { protocol: 'anthropic', origin: 'https://api.anthropic.com', path: '/v1' },
  '17': chat('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
  '20': chat('https://openrouter.ai', '/api/v1'),
  '24': { protocol: 'gemini', origin: 'https://generativelanguage.googleapis.com', path: '/v1beta' },
  '25': chat('https://api.moonshot.cn'),
  '31': chat('https://api.lingyiwanwu.com'),
}

const TYPES: Readonly<Record<Exclude<ProductWithDatabase, 'sub2api'>, Readonly<Record<string, ChannelType>>>> = {
  'new-api': {
    ...SHARED,
    '26': chat('https://open.bigmodel.cn', '/api/paas/v4'),
    '35': chat('https://api.minimax.chat'),
    '40': chat('https://api.siliconflow.cn'),
    '42': chat('https://api.mistral.ai'),
    '43': chat('https://api.deepseek.com'),
    '45': chat('https://ark.cn-beijing.volces.com', '/api/v3'),
    '46': chat('https://qianfan.baidubce.com', '/v2'),
    '48': chat('https://api.x.ai'),
  },
  'one-api': {
    ...SHARED,
    '26': chat('https://api.baichuan-ai.com'),
    '27': chat('https://api.minimax.chat'),
    '28': chat('https://api.mistral.ai'),
    '29': chat('https://api.groq.com', '/openai/v1'),
    '30': chat('http://localhost:11434'),
    '32': chat('https://api.stepfun.com'),
    '36': chat('https://api.deepseek.com'),
    '39': chat('https://api.together.xyz'),
    '40': chat('https://ark.cn-beijing.volces.com', '/api/v3'),
    '44': chat('https://api.siliconflow.cn'),
    '45': chat('https://api.x.ai'),
    '49': chat('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
    '50': chat(null, ''),
    '51': chat('https://generativelanguage.googleapis.com/v1beta/openai', ''),
  },
}

/** A subscription of a person at a provider, and not a credential of an API. */
const PERSONAL = '57'

/** null: channels of this type cannot be carried. */
export function channelType(product: ProductWithDatabase, number: string): ChannelType | null {
  return product === 'sub2api' ? null : (TYPES[product][number] ?? null)
}

export function isPersonal(product: ProductWithDatabase, number: string): boolean {
  return product === 'new-api' && number === PERSONAL
}

function chat(origin: string | null, path = '/v1'): ChannelType {
  return { protocol: 'openai-chat', origin, path }
}
