/**
 * Servers of models that people run on their own machine: the port of 127.0.0.1 that each listens on unless it is set otherwise,
 * and how it signs what it lists (`owned_by` of its models); null: as others do. The only ports that are ever looked at.
 */
export const LOCAL_SERVERS = {
  // https://docs.ollama.com/faq; openai/openai.go of ollama/ollama.
  ollama: { name: 'Ollama', port: 11_434, owner: 'library' },
  // https://lmstudio.ai/docs/developer/core/server.
  lm_studio: { name: 'LM Studio', port: 1_234, owner: 'organization_owner' },
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html.
  vllm: { name: 'vLLM', port: 8_000, owner: 'vllm' },
  // tools/server/README.md of ggml-org/llama.cpp.
  llama_cpp: { name: 'llama.cpp', port: 8_080, owner: 'llamacpp' },
  // https://docs.sglang.ai/backend/server_arguments.html.
  sglang: { name: 'SGLang', port: 30_000, owner: 'sglang' },
} as const satisfies Record<string, { readonly name: string; readonly port: number; readonly owner: string }>

export type LocalServer = keyof typeof LOCAL_SERVERS

const NAMES = Object.keys(LOCAL_SERVERS) as readonly LocalServer[]

export const LOCAL_SERVER_NAMES = NAMES as readonly [LocalServer, ...LocalServer[]]
