/** The clients of the matrix: how each is set up, asked, and how many calls it makes for it. */

export interface MatrixPlace {
  readonly origin: string
  readonly key: string
  /** The model's name, made of the protocol of its upstream. */
  readonly model: string
  readonly prompt: string
}

export interface MatrixClient {
  /** As it stands in the table and is chosen by on the command line. */
  readonly id: string
  /** What its model's name begins with: some clients choose their tools by it. */
  readonly modelPrefix: string
  /** By their paths below the home directory; besides, the folder of programs is there as `work/programs`. */
  files(place: MatrixPlace): Readonly<Record<string, string>>
  /** POSIX shell lines. */
  script(place: MatrixPlace): string
  /** How many billed calls it makes for a plain answer, and for one with a tool round trip. */
  readonly calls: { readonly plain: number; readonly tool: number }
  /** How many more it may make after its answer, where it does not always come to them: to tidy its memory, say. */
  readonly mayFollow: number
  /** Whether it sends back all that it got, signatures of thoughts included: then a gateway has no excuse to lose them. */
  readonly keepsThoughts: boolean
}

/** What a user would type, safe in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function exported(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoted(value)}`)
    .join('\n')
}

function cli(id: string, about: Pick<MatrixClient, 'script'> & Partial<MatrixClient>): MatrixClient {
  return {
    id,
    modelPrefix: 'agent',
    files: () => ({}),
    calls: { plain: 1, tool: 2 },
    mayFollow: 0,
    keepsThoughts: false,
    ...about,
  }
}

const claudeCode = cli('claude-code', {
  keepsThoughts: true,
  script: ({ origin, key, model, prompt }) => {
    const variables = {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }
    return `${exported(variables)}\nclaude -p ${quoted(prompt)} --allowedTools Read,Bash`
  },
})

/** For models of whose name Codex knows nothing: functions, and a namespace. For `gpt-5.6-sol…`: tools in an input item, a grammar. */
function codex(id: string, modelPrefix: string): MatrixClient {
  return cli(id, {
    modelPrefix,
    keepsThoughts: true,
    files: ({ origin, model }) => ({
      '.codex/config.toml': [
        `model = "${model}"`,
        'model_provider = "tollgate"',
        '[model_providers.tollgate]',
        'name = "Tollgate"',
        `base_url = "${origin}/v1"`,
        'env_key = "TOLLGATE_API_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
      ].join('\n'),
    }),
    script: ({ key, prompt }) => {
      const flags = '--skip-git-repo-check --dangerously-bypass-approvals-and-sandbox'
      return `${exported({ TOLLGATE_API_KEY: key })}\ncodex exec ${flags} ${quoted(prompt)} </dev/null`
    },
  })
}

/** Its first call asks for a title. */
function opencode(npm: string): MatrixClient {
  return cli(`opencode ${npm.replace('@ai-sdk/', '')}`, {
    files: ({ origin, model }) => {
      const options = { baseURL: `${origin}/v1`, apiKey: '{env:TOLLGATE_API_KEY}' }
      const tollgate = { npm, name: 'Tollgate', options, models: { [model]: {} } }
      const config = { model: `tollgate/${model}`, provider: { tollgate } }
      return { '.config/opencode/opencode.json': JSON.stringify(config) }
    },
    script: ({ key, model, prompt }) =>
      `${exported({ TOLLGATE_API_KEY: key })}\nopencode run -m ${quoted(`tollgate/${model}`)} ${quoted(prompt)}`,
    calls: { plain: 2, tool: 3 },
  })
}

const geminiCli = cli('gemini-cli', {
  keepsThoughts: true,
  files: () => ({
    '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
  }),
  script: ({ origin, key, model, prompt }) => {
    const variables = { GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: key, GEMINI_MODEL: model }
    return `${exported(variables)}\ngemini --yolo --skip-trust -p ${quoted(prompt)} </dev/null`
  },
})

const qwenCode = cli('qwen-code', {
  script: ({ origin, key, model, prompt }) => {
    const variables = { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model }
    return `${exported(variables)}\nqwen --auth-type openai -y -p ${quoted(prompt)} </dev/null`
  },
  mayFollow: 2,
})

function pi(api: string): MatrixClient {
  return cli(`pi ${api}`, {
    files: ({ origin, model }) => {
      const baseUrl = api === 'anthropic-messages' ? origin : `${origin}/v1`
      const tollgate = { baseUrl, api, apiKey: 'TOLLGATE_API_KEY', models: [{ id: model }] }
      return { '.pi/agent/models.json': JSON.stringify({ providers: { tollgate } }) }
    },
    script: ({ key, model, prompt }) =>
      `${exported({ TOLLGATE_API_KEY: key })}\npi -p --provider tollgate --model ${quoted(model)} ${quoted(prompt)}`,
  })
}

function kimi(type: string): MatrixClient {
  return cli(`kimi ${type}`, {
    script: ({ origin, key, model, prompt }) => {
      const variables = {
        KIMI_MODEL_NAME: model,
        KIMI_MODEL_BASE_URL: type === 'anthropic' ? origin : `${origin}/v1`,
        KIMI_MODEL_API_KEY: key,
        KIMI_MODEL_PROVIDER_TYPE: type,
      }
      return `${exported(variables)}\nkimi -p ${quoted(prompt)}`
    },
  })
}

/** A program of programs/ asks for the answer in one piece and for a stream. */
function program(id: string, name: string, about: { kind?: string; keepsThoughts: boolean }): MatrixClient {
  const { kind = '', keepsThoughts } = about
  return cli(id, {
    keepsThoughts,
    script: ({ origin, key, model, prompt }) => {
      const variables = { ORIGIN: origin, KEY: key, MODEL: model, PROMPT: prompt, PACKAGE: kind }
      return `${exported(variables)}\nnode programs/${name}.mjs`
    },
    calls: { plain: 2, tool: 4 },
  })
}

export const MATRIX_CLIENTS: readonly MatrixClient[] = [
  claudeCode,
  codex('codex', 'agent'),
  codex('codex gpt-5.6', 'gpt-5.6-sol'),
  opencode('@ai-sdk/openai-compatible'),
  opencode('@ai-sdk/openai'),
  opencode('@ai-sdk/anthropic'),
  geminiCli,
  qwenCode,
  pi('openai-completions'),
  pi('openai-responses'),
  pi('anthropic-messages'),
  kimi('openai'),
  kimi('openai_responses'),
  kimi('anthropic'),
  program('openai-sdk chat', 'openai-chat', { keepsThoughts: true }),
  program('openai-sdk responses', 'openai-responses', { keepsThoughts: true }),
  program('anthropic-sdk', 'anthropic', { keepsThoughts: true }),
  program('google-genai-sdk', 'google-genai', { keepsThoughts: true }),
  program('ai-sdk openai', 'vercel-ai', { kind: 'openai', keepsThoughts: false }),
  program('ai-sdk openai chat', 'vercel-ai', { kind: 'openai-chat', keepsThoughts: false }),
  program('ai-sdk anthropic', 'vercel-ai', { kind: 'anthropic', keepsThoughts: true }),
  program('ai-sdk openai-compatible', 'vercel-ai', { kind: 'openai-compatible', keepsThoughts: true }),
  program('langchain openai chat', 'langchain', { kind: 'openai-chat', keepsThoughts: false }),
  program('langchain openai responses', 'langchain', { kind: 'openai-responses', keepsThoughts: true }),
  program('langchain anthropic', 'langchain', { kind: 'anthropic', keepsThoughts: true }),
]
