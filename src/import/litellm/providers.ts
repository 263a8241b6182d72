import type { RemoteProtocol } from '../../core/upstream-protocol.ts'

/** What a provider of LiteLLM is here. */
export interface Provider {
  readonly protocol: RemoteProtocol
  /** At another address than the provider's own; absent: the same. */
  readonly protocolElsewhere?: RemoteProtocol
  /** Where it answers, where the deployment names no address; null: it has to. */
  readonly baseUrl: string | null
  /** Put behind an address that does not end with a version of its own; empty: nothing is. */
  readonly version: string
  /** The environment variable that LiteLLM reads its credential from where none is written; null: it may do without one. */
  readonly variable: string | null
}

/** By the word before the slash in `litellm_params.model`. Addresses are those that the providers document. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    protocol: 'openai',
    protocolElsewhere: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    version: '',
    variable: 'OPENAI_API_KEY',
  },
  anthropic: {
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    version: '/v1',
    variable: 'ANTHROPIC_API_KEY',
  },
  gemini: {
    protocol: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    version: '/v1beta',
    variable: 'GEMINI_API_KEY',
  },
  cerebras: chat('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  dashscope: chat('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  deepseek: chat('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  fireworks_ai: chat('https://api.fireworks.ai/inference/v1', 'FIREWORKS_AI_API_KEY'),
  groq: chat('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  mistral: chat('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  moonshot: chat('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  nvidia_nim: chat('https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY'),
  openrouter: chat('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  perplexity: chat('https://api.perplexity.ai', 'PERPLEXITYAI_API_KEY'),
  together_ai: chat('https://api.together.xyz/v1', 'TOGETHERAI_API_KEY'),
  xai: chat('https://api.x.ai/v1', 'XAI_API_KEY'),
  custom_openai: chat(null, null),
  hosted_vllm: chat(null, null),
  litellm_proxy: chat(null, null),
  lm_studio: chat(null, null),
  openai_like: chat(null, null),
  ollama: { ...chat('http://localhost:11434/v1', null), version: '/v1' },
  ollama_chat: { ...chat('http://localhost:11434/v1', null), version: '/v1' },
}

function chat(baseUrl: string | null, variable: string | null): Provider {
  return { protocol: 'openai-chat', baseUrl, version: '', variable }
}

/** A provider and what it calls the model; `provider` null: this gateway does not speak with that one. */
export interface NamedProvider {
  readonly provider: Provider | null
  /** As it was written, such as `bedrock`. */
  readonly name: string
  readonly model: string
}

/** `openai/gpt-4.1`, and names without a provider, which LiteLLM knows by heart. */
export function providerOf(model: string, custom: string | null): NamedProvider {
  const [first = '', ...rest] = model.split('/')
  const written = custom ?? (rest.length === 0 ? familyOf(model) : first)
  const isPrefixed = rest.length > 0 && first === written
  const provider = Object.hasOwn(PROVIDERS, written) ? PROVIDERS[written] : undefined
  return { provider: provider ?? null, name: written, model: isPrefixed ? rest.join('/') : model }
}

function familyOf(model: string): string {
  if (/^(?:gpt-|chatgpt-|o\d|text-embedding-|dall-e|whisper-|tts-)/.test(model)) return 'openai'
  return model.startsWith('claude-') ? 'anthropic' : model
}
