import { expect, test } from 'vitest'
import { refusedSettings } from './refused-settings.ts'

// Each error as it was reported, with who reported it.

const openai = (message: string, param: string | null, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
})
const pydantic = (...fields: readonly (readonly (string | number)[])[]) => ({
  detail: fields.map((loc) => ({
    type: 'extra_forbidden',
    loc,
    msg: 'Extra inputs are not permitted',
    input: 'secret',
  })),
})

test.for<{ from: string; error: unknown; settings: readonly string[]; refuses?: string; words?: string }>([
  {
    from: 'appatalks/eva-agent#83',
    error: openai(
      `Unsupported parameter: 'temperature' is not supported with this model.`,
      'temperature',
      'unsupported_parameter',
    ),
    settings: ['temperature'],
    words: `Unsupported parameter: 'temperature' is not supported with this model.`,
  },
  {
    from: 'decolua/9router#536',
    error: {
      error: { message: `[400]: [400]: Unsupported parameter: 'temperature' is not supported with this model.` },
    },
    settings: ['temperature'],
  },
  {
    from: 'quelmap-inc/quelmap#4',
    error: openai(
      `Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.`,
      'temperature',
      'unsupported_value',
    ),
    settings: ['temperature'],
    words: `Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.`,
  },
  {
    from: 'nashsu/llm_wiki#670',
    error: {
      error: {
        cause: JSON.stringify(
          openai(
            `Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.`,
            'temperature',
          ),
        ),
        code: 400,
        message: '模型服务调用失败',
      },
    },
    settings: ['temperature'],
  },
  {
    from: 'The-PR-Agent/pr-agent#2456',
    error: {
      type: 'error',
      error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' },
    },
    settings: ['temperature'],
  },
  {
    from: 'sipeed/picoclaw#2939',
    error: { error: { code: 'invalid_request_error', message: 'temperature is deprecated for this model.' } },
    settings: ['temperature'],
  },
  {
    from: 'arcsin1/oh-my-ppt#45',
    error: {
      error: { message: 'invalid temperature: only 0.6 is allowed for this model', type: 'invalid_request_error' },
    },
    settings: ['temperature'],
  },
  {
    from: 'evalstate/fast-agent#279',
    error: openai(
      `Unsupported parameter: 'parallel_tool_calls' is not supported with this model.`,
      'parallel_tool_calls',
    ),
    settings: ['parallel_tool_calls'],
  },
  {
    from: 'openai/openai-python#2194',
    error: openai(
      `Unsupported parameter: 'reasoning.generate_summary' is not supported with the 'o3-mini-2025-01-31' model.`,
      'reasoning.generate_summary',
    ),
    settings: ['reasoning_summary'],
  },
  {
    from: 'run-llama/llama_index#17731',
    error: openai(`Unknown parameter: 'reasoning_effort'.`, 'reasoning_effort', 'unknown_parameter'),
    settings: ['reasoning_effort'],
  },
  {
    from: 'anomalyco/opencode#12113',
    error: openai('Unrecognized request argument supplied: reasoning_effort', null),
    settings: ['reasoning_effort'],
  },
  {
    from: 'pydantic/pydantic-ai#2865',
    error: openai('Encrypted content is not supported with this model.', 'include'),
    settings: ['include'],
    words: 'include was refused',
  },
  {
    from: 'continuedev/continue#9854',
    error: openai(
      'Your organization must be verified to generate reasoning summaries. Please go to: the settings. If you just verified, it can take up to 15 minutes for access to propagate.',
      'reasoning.summary',
      'unsupported_value',
    ),
    settings: ['reasoning_summary'],
    refuses: 'value',
  },
  {
    from: 'Kilo-Org/cloud#3807',
    error: openai(
      `Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.`,
      null,
    ),
    settings: ['reasoning_effort'],
    refuses: 'value',
  },
  {
    from: 'google-deepmind/concordia#164',
    error: openai(
      `Unsupported value: 'verbosity' does not support 'low' with this model. Supported values are: 'medium'.`,
      'verbosity',
      'unsupported_value',
    ),
    settings: ['verbosity'],
    refuses: 'value',
  },
  {
    from: 'iamsrikanthnani/pluely#219',
    error: openai('`reasoning_effort` must be one of `none` or `default`', null),
    settings: ['reasoning_effort'],
    refuses: 'value',
  },
  {
    from: 'earendil-works/pi#1745',
    error: { error: { message: 'reasoning_effort must be one of none or default' } },
    settings: ['reasoning_effort'],
    refuses: 'value',
  },
  {
    from: 'vercel/ai#1578',
    error: openai(`property 'stream_options' is unsupported, did you mean 'stream'?`, null),
    settings: ['stream_options'],
  },
  {
    from: 'CherryHQ/cherry-studio#1099',
    error: openai(`property 'reasoning_effort' is unsupported, did you mean 'reasoning_format'?`, null),
    settings: ['reasoning_effort'],
  },
  {
    from: 'openai/openai-python#2296',
    error: openai('Validation error at #/stream_options: Extra inputs are not permitted', null),
    settings: ['stream_options'],
  },
  {
    from: 'gpustack/gpustack#429',
    error: {
      object: 'error',
      message: `[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]`,
    },
    settings: ['stream_options'],
  },
  {
    from: 'Gitlawb/openclaude#739, of one setting, as an aggregator quotes it',
    error: {
      object: 'error',
      message: JSON.stringify(pydantic(['body', 'frequency_penalty'])),
      param: null,
      code: '1000',
    },
    settings: ['frequency_penalty'],
    words: 'body.frequency_penalty: Extra inputs are not permitted',
  },
  {
    from: 'partITech/php-mistral#76, with a setting',
    error: { object: 'Error', message: pydantic(['body', 'seed']).detail, type: 'invalid_request_error', code: 3001 },
    settings: ['seed'],
  },
  {
    from: 'Gitlawb/openclaude#740',
    error: { message: `body.store: property 'body.store' is unsupported` },
    settings: ['store'],
  },
  {
    from: 'huggingface/huggingface.js#2268',
    error: { message: `store: property 'store' is unsupported`, param: 'validation_error', code: 'wrong_api_format' },
    settings: ['store'],
  },
  {
    from: 'n4ze3m/page-assist#418',
    error: [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "frequency_penalty": Cannot find field.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    settings: ['frequency_penalty'],
  },
  {
    from: 'n4ze3m/page-assist#418, as Gemini says it of two',
    error: {
      error: {
        message: `Invalid JSON payload received. Unknown name "topK" at 'generation_config': Cannot find field.\nInvalid JSON payload received. Unknown name "seed" at 'generation_config': Cannot find field.`,
      },
    },
    settings: ['top_k', 'seed'],
  },
  {
    from: 'google-gemini/cookbook#1290',
    error: { error: { code: 400, message: 'Penalty is not enabled for this model', status: 'INVALID_ARGUMENT' } },
    settings: ['presence_penalty', 'frequency_penalty'],
  },
  {
    from: 'BerriAI/litellm#16265',
    error: {
      code: 'Client specified an invalid argument',
      error: 'Model grok-4-latest does not support parameter reasoningEffort.',
    },
    settings: ['reasoning_effort'],
  },
  {
    from: 'yym68686/uni-api#105',
    error: {
      code: 'Client specified an invalid argument',
      error: 'Argument not supported on this model: presencePenalty',
    },
    settings: ['presence_penalty'],
  },
  {
    from: 'BerriAI/litellm#14163',
    error: openai(
      `litellm.UnsupportedParamsError: groq does not support parameters: ['reasoning_effort'], for model=openai/gpt-oss-120b.`,
      null,
    ),
    settings: ['reasoning_effort'],
  },
  {
    from: 'BerriAI/litellm#7748',
    error: openai(
      `gemini does not support parameters: {'frequency_penalty': 0.5, 'seed': 1}, for model=gemini-2.0-flash.`,
      null,
    ),
    settings: ['frequency_penalty', 'seed'],
  },
  {
    from: 'anthropics/claude-code#30795',
    error: { type: 'error', error: { message: 'This model does not support the effort parameter.' } },
    settings: ['reasoning_effort'],
  },
  {
    from: 'caozhiyuan/copilot-api#286',
    error: {
      error: {
        message:
          'output_config.effort "high" was provided, but model claude-haiku-4.5 does not support reasoning effort',
        code: 'invalid_reasoning_effort',
      },
    },
    settings: ['reasoning_effort'],
  },
  {
    from: 'ding113/claude-code-hub#662',
    error: { type: 'error', error: { message: 'output_config: Extra inputs are not permitted' } },
    settings: ['reasoning_effort'],
  },
  {
    from: 'MartialBE/one-hub#529',
    error: {
      error: {
        message: '`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation',
      },
    },
    settings: ['temperature'],
    refuses: 'combination',
  },
  {
    from: 'quarkiverse/quarkus-langchain4j#1812',
    error: { error: { message: '`top_k` must be unset when thinking is enabled. Please consult our documentation' } },
    settings: ['top_k'],
    refuses: 'combination',
  },
  {
    from: 'QwenLM/qwen-code#243',
    error: openai(`The 'metadata' parameter is only allowed when 'store' is enabled.`, null),
    settings: ['metadata'],
    refuses: 'combination',
  },
  {
    from: 'Upsonic/Upsonic#323',
    error: openai(
      `Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.`,
      'parallel_tool_calls',
    ),
    settings: ['parallel_tool_calls'],
    refuses: 'combination',
  },
])('$from: the settings are found by name', ({ error, settings, refuses = 'setting', words }) => {
  const found = refusedSettings(Buffer.from(JSON.stringify(error)))
  expect(found).toMatchObject({ settings, refuses })
  if (words !== undefined) expect(found?.words).toBe(words)
})

test.for<{ from: string; error: unknown }>([
  {
    from: 'anthropics/claude-code#4378',
    error: { error: { message: 'messages.65.content.1.tool_use.text: Extra inputs are not permitted' } },
  },
  {
    from: 'caozhiyuan/copilot-api#145',
    error: { error: { message: 'system.1.cache_control.ephemeral.scope: Extra inputs are not permitted' } },
  },
  {
    from: 'janhq/jan#8136',
    error: openai(
      `'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]`,
      null,
    ),
  },
  { from: 'anomalyco/opencode#2038', error: { error: { message: 'name: Extra inputs are not permitted' } } },
  { from: 'partITech/php-mistral#76', error: pydantic(['body', 'tools']) },
  { from: 'Gitlawb/openclaude#739', error: pydantic(['body', 'store'], ['body', 'max_completion_tokens']) },
  { from: 'Gage-Technologies/mistral-go#2', error: pydantic(['body', 'messages', 0, 'user', 'name']) },
  {
    from: 'RooCodeInc/Roo-Code#274',
    error: openai(
      `Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.`,
      'stream',
    ),
  },
  { from: '567-labs/instructor#155', error: openai('Unrecognized request argument supplied: functions', null) },
  {
    from: 'of a limit',
    error: openai(
      `Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.`,
      'max_tokens',
    ),
  },
  {
    from: 'of a format',
    error: openai(
      `Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.`,
      'response_format',
    ),
  },
  {
    from: 'of a message that speaks of a setting',
    error: openai(
      `Invalid 'messages[0].content': "Unsupported parameter: 'seed' is not supported"`,
      'messages[0].content',
    ),
  },
  {
    from: 'of words that are names of fields',
    error: openai('This user is not allowed to sample from this model. The store is not available.', null),
  },
  {
    from: 'of a part of another object',
    error: { error: { message: 'input.0.metadata: Extra inputs are not permitted' } },
  },
  { from: 'a plain failure', error: { error: { message: 'temperature sensors are on fire' } } },
])('$from: nothing is found in an error that names something else', ({ error }) => {
  expect(refusedSettings(Buffer.from(JSON.stringify(error)))).toBeNull()
})

test('what is not JSON is read as a text, and never throws', () => {
  expect(refusedSettings(Buffer.from('Unknown parameter: seed'))).toMatchObject({ settings: ['seed'] })
  for (const text of ['', '{', '[[[[[[[[[[[[', 'null', '<html>temperature: nothing</html>', '\u0001']) {
    expect(refusedSettings(Buffer.from(text))).toBeNull()
  }
})

test('nothing that was asked is in the words that are kept', () => {
  const error = pydantic(['body', 'user'])
  expect(refusedSettings(Buffer.from(JSON.stringify(error)))?.words).not.toContain('secret')
  const quoting = openai(`Invalid 'user': "my secret name" is too long. Expected at most 64 characters.`, 'user')
  expect(refusedSettings(Buffer.from(JSON.stringify(quoting)))).toMatchObject({ words: 'user was refused' })
})
