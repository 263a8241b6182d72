import type { RemoteProtocol } from '../../core/upstream-protocol.ts'

/** What a provider of LiteLLM is here. */
export interface Provider {
  readonly protocol: RemoteProtocol
  /** The protocol at another address than the provider's own; absent: the same. */
  readonly protocolElsewhere?: RemoteProtocol
  /** Where it answers, where the deployment names no address; null: it has to. */
  readonly baseUrl: string | null
  /** The variable that LiteLLM reads its address from where none is written; absent: none is looked for. */
  readonly baseVariable?: string
  /** Where models that rank documents are asked; absent: where all others are. */
  readonly rerankUrl?: string
  /** Put behind an address that does not end with a version of its own; empty: nothing is. */
  readonly version: string
  /** The environment variables that LiteLLM reads its credential from where none is written; none: it may do without one. */
  readonly variables: readonly string[]
  /** Put before names of chat models that do not begin so. */
  readonly modelPrefix?: string
  /** The provider's name in the price list that is shipped, where that is another. */
  readonly listedAs?: string
  /** Some of what it serves has a form of its own there; absent: it speaks as OpenAI does in all of it. */
  readonly limits?: string
}

/** Providers by the word before the slash in `litellm_params.model`. Addresses and variables are those that LiteLLM takes. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: openai('OPENAI_API_KEY'),
  'text-completion-openai': { ...openai('OPENAI_API_KEY'), listedAs: 'openai' },
  anthropic: {
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    version: '/v1',
    variables: ['ANTHROPIC_API_KEY'],
  },
  gemini: {
    protocol: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    version: '/v1beta',
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  abliteration: chat('https://api.abliteration.ai/v1', 'ABLITERATION_API_KEY'),
  ai21: chat('https://api.ai21.com/studio/v1', 'AI21_API_KEY'),
  ai21_chat: { ...chat('https://api.ai21.com/studio/v1', 'AI21_API_KEY'), listedAs: 'ai21' },
  aihubmix: chat('https://aihubmix.com/v1', 'AIHUBMIX_API_KEY'),
  aiml: chat('https://api.aimlapi.com/v1', 'AIML_API_KEY'),
  amazon_nova: chat('https://api.nova.amazon.com/v1', 'AMAZON_NOVA_API_KEY'),
  anyscale: chat('https://api.endpoints.anyscale.com/v1', 'ANYSCALE_API_KEY'),
  apertis: chat('https://api.stima.tech/v1', 'STIMA_API_KEY'),
  assemblyai: chat('https://llm-gateway.assemblyai.com/v1', 'ASSEMBLYAI_API_KEY'),
  baseten: chat('https://inference.baseten.co/v1', 'BASETEN_API_KEY'),
  cerebras: chat('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  charity_engine: chat('https://api.charityengine.services/remotejobs/v2/inference', 'CHARITY_ENGINE_API_KEY'),
  chutes: chat('https://llm.chutes.ai/v1', 'CHUTES_API_KEY'),
  clarifai: chat('https://api.clarifai.com/v2/ext/openai/v1', 'CLARIFAI_API_KEY', 'CLARIFAI_PAT'),
  codestral: chat('https://codestral.mistral.ai/v1', 'CODESTRAL_API_KEY'),
  cohere: cohere(),
  cohere_chat: cohere(),
  cometapi: chat('https://api.cometapi.com/v1', 'COMETAPI_KEY', 'COMETAPI_API_KEY'),
  crusoe: chat('https://managed-inference-api-proxy.crusoecloud.com/v1', 'CRUSOE_API_KEY'),
  dashscope: chat('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  databricks: { ...chat(null, 'DATABRICKS_API_KEY'), baseVariable: 'DATABRICKS_API_BASE' },
  deepinfra: chat('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  deepseek: chat('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  empower: chat('https://app.empower.dev/api/v1', 'EMPOWER_API_KEY'),
  featherless_ai: chat('https://api.featherless.ai/v1', 'FEATHERLESS_AI_API_KEY', 'FEATHERLESS_API_KEY'),
  fireworks_ai: {
    ...chat(
      'https://api.fireworks.ai/inference/v1',
      'FIREWORKS_API_KEY',
      'FIREWORKS_AI_API_KEY',
      'FIREWORKSAI_API_KEY',
      'FIREWORKS_AI_TOKEN',
    ),
    modelPrefix: 'accounts/fireworks/models/',
  },
  friendliai: chat('https://api.friendli.ai/serverless/v1', 'FRIENDLIAI_API_KEY', 'FRIENDLI_TOKEN'),
  galadriel: chat('https://api.galadriel.com/v1', 'GALADRIEL_API_KEY'),
  github: chat('https://models.inference.ai.azure.com', 'GITHUB_API_KEY'),
  gmi: chat('https://api.gmi-serving.com/v1', 'GMI_API_KEY'),
  groq: chat('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  helicone: chat('https://ai-gateway.helicone.ai', 'HELICONE_API_KEY'),
  heroku: { ...chat(null, 'HEROKU_API_KEY'), baseVariable: 'HEROKU_API_BASE', version: '/v1' },
  hyperbolic: chat('https://api.hyperbolic.xyz/v1', 'HYPERBOLIC_API_KEY'),
  inception: chat('https://api.inceptionlabs.ai/v1', 'INCEPTION_API_KEY'),
  jina_ai: chat('https://api.jina.ai/v1', 'JINA_AI_API_KEY', 'JINA_AI_TOKEN'),
  lambda_ai: chat('https://api.lambda.ai/v1', 'LAMBDA_API_KEY'),
  llamagate: chat('https://api.llamagate.dev/v1', 'LLAMAGATE_API_KEY'),
  maritalk: chat('https://chat.maritaca.ai/api', 'MARITALK_API_KEY'),
  meta_llama: chat('https://api.llama.com/compat/v1', 'LLAMA_API_KEY'),
  minimax: chat('https://api.minimax.io/v1', 'MINIMAX_API_KEY'),
  mistral: { ...chat('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'), version: '/v1' },
  modelscope: chat('https://api-inference.modelscope.cn/v1', 'MODELSCOPE_API_KEY'),
  moonshot: chat('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  morph: chat('https://api.morphllm.com/v1', 'MORPH_API_KEY'),
  'nano-gpt': chat('https://nano-gpt.com/api/v1', 'NANOGPT_API_KEY'),
  nebius: chat('https://api.studio.nebius.ai/v1', 'NEBIUS_API_KEY'),
  novita: chat('https://api.novita.ai/v3/openai', 'NOVITA_API_KEY'),
  nscale: chat('https://inference.api.nscale.com/v1', 'NSCALE_API_KEY'),
  nvidia_nim: chat('https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY'),
  openrouter: chat('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', 'OR_API_KEY'),
  ovhcloud: chat('https://oai.endpoints.kepler.ai.cloud.ovh.net/v1', 'OVHCLOUD_API_KEY'),
  perplexity: chat('https://api.perplexity.ai', 'PERPLEXITYAI_API_KEY', 'PERPLEXITY_API_KEY'),
  poe: chat('https://api.poe.com/v1', 'POE_API_KEY'),
  publicai: chat('https://api.publicai.co/v1', 'PUBLICAI_API_KEY'),
  salad_cloud: chat('https://ai.salad.cloud/v1', 'SALAD_CLOUD_API_KEY'),
  sambanova: chat('https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY'),
  sarvam: chat('https://api.sarvam.ai/v1', 'SARVAM_API_KEY'),
  scaleway: chat('https://api.scaleway.ai/v1', 'SCW_SECRET_KEY'),
  siliconflow: chat('https://api.siliconflow.cn/v1', 'SILICONFLOW_API_KEY'),
  synthetic: chat('https://api.synthetic.new/openai/v1', 'SYNTHETIC_API_KEY'),
  together_ai: chat(
    'https://api.together.xyz/v1',
    'TOGETHER_API_KEY',
    'TOGETHER_AI_API_KEY',
    'TOGETHERAI_API_KEY',
    'TOGETHER_AI_TOKEN',
  ),
  v0: chat('https://api.v0.dev/v1', 'V0_API_KEY'),
  veniceai: chat('https://api.venice.ai/api/v1', 'VENICE_AI_API_KEY'),
  vercel_ai_gateway: chat('https://ai-gateway.vercel.sh/v1', 'VERCEL_AI_GATEWAY_API_KEY'),
  volcengine: chat('https://ark.cn-beijing.volces.com/api/v3', 'VOLCENGINE_API_KEY', 'ARK_API_KEY'),
  voyage: {
    ...chat('https://api.voyageai.com/v1', 'VOYAGE_API_KEY', 'VOYAGE_AI_API_KEY', 'VOYAGE_AI_TOKEN'),
    limits: 'ranks documents in a form of its own: the field is top_k and not top_n, and results stand in data',
  },
  wandb: chat('https://api.inference.wandb.ai/v1', 'WANDB_API_KEY'),
  xai: chat('https://api.x.ai/v1', 'XAI_API_KEY'),
  xiaomi_mimo: chat('https://api.xiaomimimo.com/v1', 'XIAOMI_MIMO_API_KEY'),
  zai: chat('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY'),
  aiohttp_openai: chat(null),
  custom_openai: chat(null),
  docker_model_runner: { ...chat(null), baseVariable: 'DOCKER_MODEL_RUNNER_API_BASE' },
  hosted_vllm: { ...chat(null), baseVariable: 'HOSTED_VLLM_API_BASE' },
  infinity: { ...chat(null), baseVariable: 'INFINITY_API_BASE' },
  lemonade: chat('http://localhost:8000/api/v1'),
  litellm_proxy: { ...chat(null, 'LITELLM_PROXY_API_KEY'), baseVariable: 'LITELLM_PROXY_API_BASE' },
  llamafile: chat('http://127.0.0.1:8080/v1'),
  lm_studio: { ...chat(null), baseVariable: 'LM_STUDIO_API_BASE' },
  ollama: ollama(),
  ollama_chat: ollama(),
  openai_like: { ...chat(null), baseVariable: 'OPENAI_LIKE_API_BASE' },
  xinference: { ...chat(null), baseVariable: 'XINFERENCE_API_BASE' },
}

/** The clouds, which serve models of other makers in ways of their own. */
export type CloudName = 'azure' | 'bedrock' | 'vertex'

/** Clouds by the word before the slash, and the name that they have in the price list that is shipped. */
const CLOUDS: Readonly<Record<string, { readonly cloud: CloudName; readonly listedAs: string }>> = {
  azure: { cloud: 'azure', listedAs: 'azure' },
  azure_text: { cloud: 'azure', listedAs: 'azure' },
  azure_ai: { cloud: 'azure', listedAs: 'azure_ai' },
  bedrock: { cloud: 'bedrock', listedAs: 'bedrock' },
  bedrock_converse: { cloud: 'bedrock', listedAs: 'bedrock' },
  vertex_ai: { cloud: 'vertex', listedAs: 'vertex_ai' },
  vertex_ai_beta: { cloud: 'vertex', listedAs: 'vertex_ai' },
}

/** Providers that are signed in to by a person's subscription. */
const OWN_SIGN_IN: ReadonlySet<string> = new Set(['chatgpt', 'github_copilot'])

/** Providers that speak in a form of their own, also at an address that a deployment names. */
const OWN_FORM: ReadonlySet<string> = new Set(
  (
    'a2a_agent aleph_alpha anthropic_text aws_polly bedrock_mantle bytez cloudflare custom ' +
    'datarobot deepgram elevenlabs fal_ai gigachat gradient_ai huggingface langflow langgraph manus nlp_cloud oci oobabooga ' +
    'palm petals predibase ragflow recraft replicate runwayml sagemaker sagemaker_chat sagemaker_nova sap snowflake stability ' +
    'text-completion-codestral topaz triton vllm watsonx watsonx_text'
  ).split(' '),
)

function chat(baseUrl: string | null, ...variables: readonly string[]): Provider {
  return { protocol: 'openai-chat', baseUrl, version: '', variables }
}

function openai(variable: string): Provider {
  const baseUrl = 'https://api.openai.com/v1'
  return { protocol: 'openai', protocolElsewhere: 'openai-chat', baseUrl, version: '', variables: [variable] }
}

/** Chat and embeddings as OpenAI has them; ranking at its own address. */
function cohere(): Provider {
  return {
    ...chat('https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY', 'CO_API_KEY'),
    rerankUrl: 'https://api.cohere.com/v2',
    listedAs: 'cohere_chat',
  }
}

function ollama(): Provider {
  return { ...chat('http://localhost:11434/v1'), baseVariable: 'OLLAMA_API_BASE', version: '/v1' }
}

/** A provider and what it calls the model. */
export interface NamedProvider {
  readonly provider: Provider | NotCarried
  /** null: it is none of the clouds. */
  readonly cloud: CloudName | null
  /** The name as it was written, such as `bedrock`. */
  readonly name: string
  readonly model: string
  /** The API that the name asks for (`openai/responses/NAME`); null: it says none. */
  readonly way: 'responses' | null
}

/** Why this gateway does not speak with a provider. */
export type NotCarried = 'own_form' | 'own_sign_in'

/** Anything that answers as OpenAI does, at the address that the deployment names. */
const UNKNOWN: Provider = { protocol: 'openai-chat', baseUrl: null, version: '', variables: [] }
/** What stands for a provider of which no name is known. */
const NO_NAME = 'openai_like'
/** What stands between provider and model, for the API that is asked. */
const RESPONSES = 'responses/'

/** `openai/gpt-4.1`, and names without a provider, which LiteLLM knows by heart. */
export function providerOf(model: string, custom: string | null): NamedProvider {
  const slash = model.indexOf('/')
  const first = model.slice(0, Math.max(0, slash))
  const written = custom ?? (slash <= 0 ? familyOf(model) : first)
  const rest = first === written ? model.slice(slash + 1) : model
  const isResponses = rest.startsWith(RESPONSES)
  return {
    provider: knownAs(written),
    cloud: cloudOf(written)?.cloud ?? null,
    name: written,
    model: isResponses ? rest.slice(RESPONSES.length) : rest,
    way: isResponses ? 'responses' : null,
  }
}

function cloudOf(name: string) {
  return Object.hasOwn(CLOUDS, name) ? CLOUDS[name] : undefined
}

function knownAs(name: string): Provider | NotCarried {
  const cloud = cloudOf(name)
  if (cloud !== undefined) return { ...UNKNOWN, listedAs: cloud.listedAs }
  if (OWN_SIGN_IN.has(name)) return 'own_sign_in'
  if (OWN_FORM.has(name)) return 'own_form'
  return (Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined) ?? UNKNOWN
}

/** What the provider calls a model that chats or completes, where that differs from what is written. */
export function sentName(model: string, { modelPrefix: prefix }: Provider, mode: unknown): string {
  const isWhole = prefix === undefined || model.startsWith('accounts/') || model.includes('#') || mode === 'embedding'
  return isWhole ? model : prefix + model
}

/** LiteLLM finds the provider of these by their names alone. */
function familyOf(model: string): string {
  if (/^(?:gpt-|chatgpt-|ft:gpt-|o\d|text-embedding-|text-moderation|omni-moderation|dall-e|whisper-|tts-)/.test(model))
    return 'openai'
  if (model.startsWith('claude-')) return 'anthropic'
  if (model.startsWith('gemini-')) return 'vertex_ai'
  if (/^(?:[a-z-]{2,6}\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek|qwen|openai)\.[a-z]/.test(model))
    return 'bedrock'
  if (/^(?:command|embed-|rerank-)/.test(model)) return 'cohere'
  return NO_NAME
}
