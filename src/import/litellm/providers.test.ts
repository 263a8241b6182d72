import { expect, test } from 'vitest'
import { deployed } from '../../../test/support/import-sources/litellm-plan.ts'

/** What LiteLLM asks, by its provider’s code and documentation: the base of its URL, and the variable of its key. */
test.for([
  ['openai/gpt-4o', 'openai', 'https://api.openai.com/v1', 'gpt-4o', 'OPENAI_API_KEY'],
  ['gpt-4o', 'openai', 'https://api.openai.com/v1', 'gpt-4o', 'OPENAI_API_KEY'],
  ['ft:gpt-4o:acme', 'openai', 'https://api.openai.com/v1', 'ft:gpt-4o:acme', 'OPENAI_API_KEY'],
  [
    'text-completion-openai/gpt-3.5-turbo-instruct',
    'openai',
    'https://api.openai.com/v1',
    'gpt-3.5-turbo-instruct',
    'OPENAI_API_KEY',
  ],
  ['claude-sonnet-4-5', 'anthropic', 'https://api.anthropic.com/v1', 'claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
  [
    'gemini/gemini-2.5-flash',
    'gemini',
    'https://generativelanguage.googleapis.com/v1beta',
    'gemini-2.5-flash',
    'GEMINI_API_KEY',
  ],
  [
    'gemini/gemini-2.5-flash',
    'gemini',
    'https://generativelanguage.googleapis.com/v1beta',
    'gemini-2.5-flash',
    'GOOGLE_API_KEY',
  ],
  ['zai/glm-4.6', 'openai-chat', 'https://api.z.ai/api/paas/v4', 'glm-4.6', 'ZAI_API_KEY'],
  ['minimax/MiniMax-M2', 'openai-chat', 'https://api.minimax.io/v1', 'MiniMax-M2', 'MINIMAX_API_KEY'],
  [
    'volcengine/doubao-pro',
    'openai-chat',
    'https://ark.cn-beijing.volces.com/api/v3',
    'doubao-pro',
    'VOLCENGINE_API_KEY',
  ],
  ['siliconflow/Qwen/Qwen3', 'openai-chat', 'https://api.siliconflow.cn/v1', 'Qwen/Qwen3', 'SILICONFLOW_API_KEY'],
  ['cerebras/gpt-oss-120b', 'openai-chat', 'https://api.cerebras.ai/v1', 'gpt-oss-120b', 'CEREBRAS_API_KEY'],
  ['sambanova/Llama-4', 'openai-chat', 'https://api.sambanova.ai/v1', 'Llama-4', 'SAMBANOVA_API_KEY'],
  ['nebius/Qwen/Qwen3', 'openai-chat', 'https://api.studio.nebius.ai/v1', 'Qwen/Qwen3', 'NEBIUS_API_KEY'],
  ['novita/deepseek/v3', 'openai-chat', 'https://api.novita.ai/v3/openai', 'deepseek/v3', 'NOVITA_API_KEY'],
  ['deepinfra/meta/llama', 'openai-chat', 'https://api.deepinfra.com/v1/openai', 'meta/llama', 'DEEPINFRA_API_KEY'],
  ['groq/openai/gpt-oss-120b', 'openai-chat', 'https://api.groq.com/openai/v1', 'openai/gpt-oss-120b', 'GROQ_API_KEY'],
  ['nscale/x', 'openai-chat', 'https://inference.api.nscale.com/v1', 'x', 'NSCALE_API_KEY'],
  ['hyperbolic/x', 'openai-chat', 'https://api.hyperbolic.xyz/v1', 'x', 'HYPERBOLIC_API_KEY'],
  [
    'vercel_ai_gateway/openai/gpt-4o',
    'openai-chat',
    'https://ai-gateway.vercel.sh/v1',
    'openai/gpt-4o',
    'VERCEL_AI_GATEWAY_API_KEY',
  ],
  ['together_ai/meta/x', 'openai-chat', 'https://api.together.xyz/v1', 'meta/x', 'TOGETHER_AI_API_KEY'],
  ['together_ai/meta/x', 'openai-chat', 'https://api.together.xyz/v1', 'meta/x', 'TOGETHERAI_API_KEY'],
  ['friendliai/x', 'openai-chat', 'https://api.friendli.ai/serverless/v1', 'x', 'FRIENDLI_TOKEN'],
  [
    'fireworks_ai/llama-v3',
    'openai-chat',
    'https://api.fireworks.ai/inference/v1',
    'accounts/fireworks/models/llama-v3',
    'FIREWORKS_API_KEY',
  ],
  [
    'fireworks_ai/accounts/acme/models/x',
    'openai-chat',
    'https://api.fireworks.ai/inference/v1',
    'accounts/acme/models/x',
    'FIREWORKS_AI_API_KEY',
  ],
  [
    'codestral/codestral-latest',
    'openai-chat',
    'https://codestral.mistral.ai/v1',
    'codestral-latest',
    'CODESTRAL_API_KEY',
  ],
  ['publicai/x', 'openai-chat', 'https://api.publicai.co/v1', 'x', 'PUBLICAI_API_KEY'],
  ['nano-gpt/x', 'openai-chat', 'https://nano-gpt.com/api/v1', 'x', 'NANOGPT_API_KEY'],
  ['cohere/command-a', 'openai-chat', 'https://api.cohere.ai/compatibility/v1', 'command-a', 'COHERE_API_KEY'],
  ['cohere_chat/command-a', 'openai-chat', 'https://api.cohere.ai/compatibility/v1', 'command-a', 'CO_API_KEY'],
  ['cohere/rerank-v3.5', 'openai-chat', 'https://api.cohere.com/v2', 'rerank-v3.5', 'COHERE_API_KEY'],
  ['voyage/voyage-3', 'openai-chat', 'https://api.voyageai.com/v1', 'voyage-3', 'VOYAGE_API_KEY'],
  ['jina_ai/jina-reranker-v2', 'openai-chat', 'https://api.jina.ai/v1', 'jina-reranker-v2', 'JINA_AI_API_KEY'],
  // A prefix that names the API and no model.
  ['openai/responses/gpt-5.5-codex', 'openai', 'https://api.openai.com/v1', 'gpt-5.5-codex', 'OPENAI_API_KEY'],
] as const)('%s is asked as %s at %s as %s, by %s', async ([model, protocol, baseUrl, name, variable]) => {
  const { upstream, target, credential } = await deployed({ model }, { environment: { [variable]: 'sk-of-it' } })
  expect([upstream?.protocol, upstream?.baseUrl, target?.model, credential?.secret]).toEqual([
    protocol,
    baseUrl,
    name,
    'sk-of-it',
  ])
})

const AT = 'http://10.0.0.1:8000'
test.for([
  [{ model: 'openai/openai/gpt-5.1', api_base: `${AT}/v1` }, 'openai-chat', `${AT}/v1`, 'openai/gpt-5.1'], // uzh-bf/klicker-uzh#5036
  [{ model: 'openai/openrouter/auto', api_base: `${AT}/api/v1/` }, 'openai-chat', `${AT}/api/v1`, 'openrouter/auto'], // BerriAI/litellm#2233
  [{ model: 'openai/gpt-4o', api_base: 'https://api.openai.com/v1/' }, 'openai', 'https://api.openai.com/v1', 'gpt-4o'],
  [{ model: 'openai/responses/gpt-x', api_base: `${AT}/v1` }, 'openai', `${AT}/v1`, 'gpt-x'],
  [{ model: 'gpt-x', custom_llm_provider: 'openai', api_base: `${AT}/v1` }, 'openai-chat', `${AT}/v1`, 'gpt-x'],
  [
    { model: 'meta/llama', custom_llm_provider: 'openai', api_base: `${AT}/v1` },
    'openai-chat',
    `${AT}/v1`,
    'meta/llama',
  ],
  [{ model: 'responses/gpt-x', custom_llm_provider: 'openai', api_base: `${AT}/v1` }, 'openai', `${AT}/v1`, 'gpt-x'],
  [{ model: 'hosted_vllm/Qwen/Qwen3', api_base: `${AT}/v1` }, 'openai-chat', `${AT}/v1`, 'Qwen/Qwen3'],
  [{ model: 'ollama_chat/llama3', api_base: AT }, 'openai-chat', `${AT}/v1`, 'llama3'],
  [{ model: 'infinity/rerank', api_base: AT }, 'openai-chat', AT, 'rerank'],
  [{ model: 'house_new/x-1', api_base: `${AT}/v2` }, 'openai-chat', `${AT}/v2`, 'x-1'],
  [{ model: 'plain-name', api_base: `${AT}/v1` }, 'openai-chat', `${AT}/v1`, 'plain-name'],
  [{ model: 'anthropic/claude-x', api_base: `${AT}/v1/messages`, api_key: 'k' }, 'anthropic', `${AT}/v1`, 'claude-x'],
  [
    { model: 'anthropic/claude-x', api_base: `${AT}/anthropic`, api_key: 'k' },
    'anthropic',
    `${AT}/anthropic/v1`,
    'claude-x',
  ],
  [{ model: 'openai_like/x', api_base: `${AT}/v1/chat/completions` }, 'openai-chat', `${AT}/v1`, 'x'],
  [{ model: 'mistral/x', api_base: AT, api_key: 'k' }, 'openai-chat', `${AT}/v1`, 'x'],
] as const)('%j is asked as %s at %s as %s', async ([params, protocol, baseUrl, name]) => {
  const { upstream, target } = await deployed({ api_key: 'k', ...params })
  expect([upstream?.protocol, upstream?.baseUrl, target?.model]).toEqual([protocol, baseUrl, name])
})

test.for([
  [
    { model: 'github_copilot/gpt-4o' },
    'are of github_copilot, which is not carried: it is signed in to by a person’s subscription',
  ],
  [{ model: 'chatgpt/gpt-5' }, 'are of chatgpt, which is not carried: it is signed in to'],
  [{ model: 'sagemaker/x', api_base: 'https://x.test' }, 'are of sagemaker, which is not carried: its API has a form'],
  [{ model: 'house_new/x-1' }, 'name no api_base that can be used'],
  [{ model: 'openai/x', api_base: '${RELAY}/v1' }, 'name no api_base that can be used'],
  [{ model: 'voyage/rerank-2', api_key: 'k' }, 'are of voyage, which ranks documents in a form of its own'],
] as const)('%j is named, with the reason', async ([params, sentence]) => {
  const { said } = await deployed(params)
  expect(said).toContain(sentence)
})

test('ranking by what the deployment says that it is', async () => {
  const { upstream } = await deployed({ model: 'cohere/our-own', api_key: 'k' }, { info: { mode: 'rerank' } })
  expect(upstream?.baseUrl).toBe('https://api.cohere.com/v2')
})
