/**
 * What is sent, in the words of OpenTelemetry's semantic conventions for generative AI: "Semantic conventions for generative
 * client AI spans" and "… for generative AI metrics", open-telemetry/semantic-conventions-genai, read in November 2026. They
 * are in development, so all that is sent by them says which version it is by.
 */
export const GEN_AI_SCHEMA = 'https://opentelemetry.io/schemas/gen-ai/1.42.0'

/** Attributes of the conventions. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  isStream: 'gen_ai.request.stream',
  firstChunkSeconds: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  errorType: 'error.type',
  httpStatus: 'http.response.status_code',
} as const

/** Attributes of our own beside them. */
export const OURS = {
  requestId: 'tollgate.request.id',
  wire: 'tollgate.wire',
  group: 'tollgate.group',
  accountId: 'tollgate.account.id',
  keyId: 'tollgate.key.id',
  outcome: 'tollgate.outcome',
  chargedUsd: 'tollgate.charged_usd',
  upstream: 'tollgate.upstream',
  credential: 'tollgate.credential',
  attemptClass: 'tollgate.attempt.class',
} as const

const DURATION_STEPS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Histograms of the conventions, with the steps that they ask for. */
export const GEN_AI_METRICS = {
  tokenUsage: {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    steps: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  },
  operationSeconds: {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'GenAI operation duration.',
    steps: DURATION_STEPS,
  },
  requestSeconds: {
    name: 'gen_ai.server.request.duration',
    unit: 's',
    description: 'Generative AI server request duration such as time-to-last byte or last output token.',
    steps: DURATION_STEPS,
  },
  firstTokenSeconds: {
    name: 'gen_ai.server.time_to_first_token',
    unit: 's',
    description: 'Time to generate first token for successful responses.',
    steps: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  secondsPerToken: {
    name: 'gen_ai.server.time_per_output_token',
    unit: 's',
    description: 'Time per output token generated after the first token for successful responses.',
    steps: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
  },
} as const
