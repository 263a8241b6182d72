/**
 * What a chat of the model `gpt-x` is asked at by a channel of each type, written down by hand from the products' own code: where
 * the channel names no base URL, and where it names `GIVEN`. null: it is not asked by HTTP, or in a form of its own.
 */
interface ChannelUrls {
  readonly usual: string | null
  readonly given: string | null
  /** What else the channel has. */
  readonly more?: Readonly<Record<string, string>>
}

export const GIVEN = 'https://relay.example.test/base'

/** A channel in a form that is not OpenAI's, Anthropic's or Google's, by a protocol of its own, or for other than chats. */
const OTHERWISE: ChannelUrls = { usual: null, given: null }

/** songquanpeng/one-api 8df4a267: bases of `relay/channeltype/url.go`, paths of the adaptors in `relay/adaptor`. */
const ONE_API: Readonly<Record<number, ChannelUrls>> = {
  // openai/helper.go GetFullRequestURL: base and path as they are.
  1: openai('https://api.openai.com'),
  2: openai('https://oa.api2d.net'),
  3: OTHERWISE, // Azure: openai/adaptor.go, deployments and api-version
  4: openai('https://api.closeai-proxy.xyz'),
  5: openai('https://api.openai-sb.com'),
  6: openai('https://api.openaimax.com'),
  7: openai('https://api.ohmygpt.com'),
  8: openai(null),
  9: openai('https://api.caipacity.com'),
  10: openai('https://api.aiproxy.io'),
  11: OTHERWISE, // PaLM
  12: openai('https://api.api2gpt.com'),
  13: openai('https://api.aigc2d.com'),
  14: below('https://api.anthropic.com', '/v1/messages'), // anthropic/adaptor.go
  15: OTHERWISE, // Baidu: token in the query
  16: OTHERWISE, // Zhipu: v3, and v4 with a signed token
  17: OTHERWISE, // Ali: ali/adaptor.go, text-generation
  18: OTHERWISE, // Xunfei: WebSocket
  19: openai('https://ai.360.cn'),
  20: openai('https://openrouter.ai/api'),
  21: OTHERWISE, // AIProxyLibrary
  22: openai('https://fastgpt.run/api/openapi'),
  23: OTHERWISE, // Tencent
  24: below('https://generativelanguage.googleapis.com', '/v1/models/gpt-x:generateContent'), // gemini/adaptor.go, GEMINI_VERSION
  25: openai('https://api.moonshot.cn'),
  26: openai('https://api.baichuan-ai.com'),
  27: OTHERWISE, // Minimax: minimax/main.go, /v1/text/chatcompletion_v2
  28: openai('https://api.mistral.ai'),
  29: openai('https://api.groq.com/openai'),
  30: OTHERWISE, // Ollama: ollama/adaptor.go, /api/chat
  31: openai('https://api.lingyiwanwu.com'),
  32: openai('https://api.stepfun.com'),
  33: OTHERWISE, // AWS
  34: OTHERWISE, // Coze
  35: OTHERWISE, // Cohere: /v1/chat
  36: openai('https://api.deepseek.com'),
  // cloudflare/adaptor.go
  37: {
    ...below('https://api.cloudflare.com', '/client/v4/accounts/a1b2/ai/v1/chat/completions'),
    more: { config: '{"user_id":"a1b2"}' },
  },
  38: OTHERWISE, // DeepL
  39: openai('https://api.together.xyz'),
  40: below('https://ark.cn-beijing.volces.com', '/api/v3/chat/completions'), // doubao/main.go
  41: below('https://api.novita.ai/v3/openai', '/chat/completions'), // novita/main.go
  42: OTHERWISE, // Vertex AI
  43: OTHERWISE, // Proxy: no chats
  44: openai('https://api.siliconflow.cn'),
  45: openai('https://api.x.ai'),
  46: OTHERWISE, // Replicate
  47: below('https://qianfan.baidubce.com', '/v2/chat/completions'), // baiduv2/main.go
  48: openai('https://spark-api-open.xf-yun.com'),
  49: below('https://dashscope.aliyuncs.com', '/compatible-mode/v1/chat/completions'), // alibailian/main.go
  50: below(null, '/chat/completions'), // openai/helper.go
  51: below('https://generativelanguage.googleapis.com/v1beta/openai', '/chat/completions'), // geminiv2/main.go
}

/** QuantumNous/new-api of 2026-07: bases of `constant/channel.go`, paths of the adaptors in `relay/channel`. */
const NEW_API: Readonly<Record<number, ChannelUrls>> = {
  // relay/common/relay_utils.go GetFullRequestURL: base and path as they are.
  1: openai('https://api.openai.com'),
  2: OTHERWISE, // Midjourney
  3: OTHERWISE, // Azure
  4: OTHERWISE, // Ollama: ollama/adaptor.go, /api/chat
  5: OTHERWISE, // Midjourney Plus
  6: openai('https://api.openaimax.com'),
  7: openai('https://api.ohmygpt.com'),
  8: { usual: null, given: null }, // the whole address: see the cases of their own
  9: openai('https://api.caipacity.com'),
  10: openai('https://api.aiproxy.io'),
  11: OTHERWISE, // PaLM
  12: openai('https://api.api2gpt.com'),
  13: openai('https://api.aigc2d.com'),
  14: below('https://api.anthropic.com', '/v1/messages'), // claude/adaptor.go
  15: OTHERWISE, // Baidu
  16: OTHERWISE, // Zhipu: v3
  17: below('https://dashscope.aliyuncs.com', '/compatible-mode/v1/chat/completions'), // ali/adaptor.go
  18: OTHERWISE, // Xunfei
  19: openai('https://api.360.cn'),
  20: openai('https://openrouter.ai/api'),
  21: OTHERWISE, // AIProxyLibrary
  22: openai('https://fastgpt.run/api/openapi'),
  23: OTHERWISE, // Tencent
  24: below('https://generativelanguage.googleapis.com', '/v1beta/models/gpt-x:generateContent'), // gemini/adaptor.go
  25: openai('https://api.moonshot.cn'), // moonshot/adaptor.go
  26: below('https://open.bigmodel.cn', '/api/paas/v4/chat/completions'), // zhipu_4v/adaptor.go
  27: below('https://api.perplexity.ai', '/chat/completions'), // perplexity/adaptor.go
  31: openai('https://api.lingyiwanwu.com'),
  33: OTHERWISE, // AWS
  34: OTHERWISE, // Cohere: cohere/adaptor.go, /v1/chat
  35: OTHERWISE, // MiniMax: minimax/relay-minimax.go, /v1/text/chatcompletion_v2
  36: OTHERWISE, // Suno
  37: OTHERWISE, // Dify
  38: OTHERWISE, // Jina: embeddings and rerank alone
  // cloudflare/adaptor.go
  39: {
    ...below('https://api.cloudflare.com', '/client/v4/accounts/a1b2/ai/v1/chat/completions'),
    more: { other: 'a1b2' },
  },
  40: openai('https://api.siliconflow.cn'),
  41: OTHERWISE, // Vertex AI
  42: openai('https://api.mistral.ai'),
  43: openai('https://api.deepseek.com'), // deepseek/adaptor.go
  44: OTHERWISE, // MokaAI: mokaai/adaptor.go, /chat/
  45: below('https://ark.cn-beijing.volces.com', '/api/v3/chat/completions'), // volcengine/adaptor.go
  46: below('https://qianfan.baidubce.com', '/v2/chat/completions'), // baidu_v2/adaptor.go
  47: openai(null), // Xinference, by openai/adaptor.go
  48: openai('https://api.x.ai'),
  49: OTHERWISE, // Coze
  50: OTHERWISE, // Kling
  51: OTHERWISE, // Jimeng
  52: OTHERWISE, // Vidu
  53: openai('https://llm.submodel.ai'),
  54: OTHERWISE, // Doubao video
  55: OTHERWISE, // Sora
  56: OTHERWISE, // Replicate
  57: OTHERWISE, // Codex: a person's subscription
  58: OTHERWISE, // Advanced custom: routes of its own
  59: OTHERWISE,
}

export const CHANNEL_URLS = { 'one-api': ONE_API, 'new-api': NEW_API } as const

function openai(base: string | null): ChannelUrls {
  return below(base, '/v1/chat/completions')
}

function below(base: string | null, path: string): ChannelUrls {
  return { usual: base === null ? null : base + path, given: GIVEN + path }
}
