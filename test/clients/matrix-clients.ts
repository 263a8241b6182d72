/** The clients of the matrix: how each is set up, asked, and how many calls it makes for it. */
import type { CloudName } from '../support/cloud-ways.ts'

export interface MatrixPlace {
  readonly origin: string
  readonly key: string
  /** The model's name, made of the protocol of its upstream. */
  readonly model: string
  readonly prompt: string
}

interface ClientFacts {
  /** The name in the table, by which a client is chosen on the command line. */
  readonly id: string
  /** What its model's name begins with: some clients choose their tools by it. */
  readonly modelPrefix: string
  /** How many billed calls it makes for a plain answer, and for one with a tool round trip. */
  readonly calls: { readonly plain: number; readonly tool: number }
  /** How many answers it prints: a program may ask for the same in one piece and as a stream. */
  readonly answers: 1 | 2
  /** How many more it may make after its answer, where it does not always come to them: to tidy its memory, say. */
  readonly mayFollow: number
  /** Whether it sends back all that it got, signatures of thoughts included: then a gateway has no excuse to lose them. */
  readonly keepsThoughts: boolean
  /** The ways to clouds that it is tried at, beside every upstream protocol. */
  readonly clouds: readonly CloudName[]
}

const CLAUDES: readonly CloudName[] = ['bedrock-claude', 'vertex-claude', 'azure-claude', 'bedrock-converse']
const CHATS: readonly CloudName[] = ['azure-chat', 'azure-dated', 'bedrock-chat', 'vertex-chat', 'bedrock-converse']
const RESPONSES: readonly CloudName[] = ['azure-responses', 'bedrock-responses', 'bedrock-converse']

/** A coding agent as its users start it: one process for each prompt. */
export interface Agent extends ClientFacts {
  readonly kind: 'agent'
  /** Files by their paths below the home directory. */
  files(place: MatrixPlace): Readonly<Record<string, string>>
  /** POSIX shell lines. */
  script(place: MatrixPlace): string
}

/** A program of programs/, which does any number of tasks in one process: with an SDK, or by an agent's own server. */
export interface Program extends ClientFacts {
  readonly kind: 'program'
  /** The file's name, without the ending. Programs of the same name share a process. */
  readonly name: string
  /** The package that the program is to use, where it knows several. */
  readonly package: string
}

export type MatrixClient = Agent | Program

/** What a user would type, safe in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function exported(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoted(value)}`)
    .join('\n')
}

function cli(id: string, about: Pick<Agent, 'script'> & Partial<Agent>): Agent {
  return {
    kind: 'agent',
    id,
    modelPrefix: 'agent',
    files: () => ({}),
    calls: { plain: 1, tool: 2 },
    answers: 1,
    mayFollow: 0,
    keepsThoughts: false,
    clouds: [],
    ...about,
  }
}

const claudeCode = cli('claude-code', {
  keepsThoughts: true,
  clouds: CLAUDES,
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

/** Codex offers models whose name it does not know functions and a namespace, and `gpt-5.6-sol…` tools in an input item. */
function codex(id: string, modelPrefix: string): Agent {
  return cli(id, {
    modelPrefix,
    keepsThoughts: true,
    clouds: ['azure-responses', 'bedrock-converse'],
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

const geminiCli = cli('gemini-cli', {
  keepsThoughts: true,
  clouds: ['vertex-gemini'],
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

/** A program of programs/ asks for the answer in one piece and for a stream. */
function program(
  id: string,
  name: string,
  about: Partial<Pick<Program, 'package' | 'clouds'>> & Pick<Program, 'keepsThoughts'>,
): Program {
  return {
    kind: 'program',
    id,
    name,
    package: about.package ?? '',
    clouds: about.clouds ?? [],
    modelPrefix: 'agent',
    calls: { plain: 2, tool: 4 },
    answers: 2,
    mayFollow: 0,
    keepsThoughts: about.keepsThoughts,
  }
}

/** An agent whose start costs a second of a processor and more, so one process does all, as others drive it. */
function served(id: string, name: string, about: Pick<Program, 'package' | 'calls'>): Program {
  return {
    kind: 'program',
    id,
    name,
    modelPrefix: 'agent',
    answers: 1,
    mayFollow: 0,
    keepsThoughts: false,
    clouds: [],
    ...about,
  }
}

/** OpenCode, whose first call asks for a title. */
function opencode(npm: string): Program {
  return served(`opencode ${npm.replace('@ai-sdk/', '')}`, 'opencode', { package: npm, calls: { plain: 2, tool: 3 } })
}

function pi(api: string): Program {
  return served(`pi ${api}`, 'pi', { package: api, calls: { plain: 1, tool: 2 } })
}

function kimi(type: string): Program {
  return served(`kimi ${type}`, 'kimi', { package: type, calls: { plain: 1, tool: 2 } })
}

export const OPENCODE: readonly MatrixClient[] = [
  opencode('@ai-sdk/openai-compatible'),
  opencode('@ai-sdk/openai'),
  opencode('@ai-sdk/anthropic'),
]

export const OTHER_AGENTS: readonly MatrixClient[] = [
  claudeCode,
  codex('codex', 'agent'),
  codex('codex gpt-5.6', 'gpt-5.6-sol'),
  geminiCli,
  qwenCode,
  pi('openai-completions'),
  pi('openai-responses'),
  pi('anthropic-messages'),
  kimi('openai'),
  kimi('openai_responses'),
  kimi('anthropic'),
]

export const PROGRAMS: readonly MatrixClient[] = [
  program('openai-sdk chat', 'openai-chat', { keepsThoughts: true, clouds: CHATS }),
  program('openai-sdk responses', 'openai-responses', { keepsThoughts: true, clouds: RESPONSES }),
  program('anthropic-sdk', 'anthropic', { keepsThoughts: true, clouds: CLAUDES }),
  program('google-genai-sdk', 'google-genai', { keepsThoughts: true, clouds: ['vertex-gemini', 'bedrock-converse'] }),
  program('ai-sdk openai', 'vercel-ai', { package: 'openai', keepsThoughts: false }),
  program('ai-sdk openai chat', 'vercel-ai', { package: 'openai-chat', keepsThoughts: false }),
  program('ai-sdk anthropic', 'vercel-ai', { package: 'anthropic', keepsThoughts: true }),
  program('ai-sdk openai-compatible', 'vercel-ai', { package: 'openai-compatible', keepsThoughts: true }),
  program('langchain openai chat', 'langchain', { package: 'openai-chat', keepsThoughts: false }),
  program('langchain openai responses', 'langchain', { package: 'openai-responses', keepsThoughts: true }),
  program('langchain anthropic', 'langchain', { package: 'anthropic', keepsThoughts: true }),
]

export const MATRIX_CLIENTS: readonly MatrixClient[] = [...OPENCODE, ...OTHER_AGENTS, ...PROGRAMS]
