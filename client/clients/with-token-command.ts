/** Clients that run a command for their token. What stands in their files was tried with the versions in docs/clients.md. */
import { existsSync } from 'node:fs'
import { Failure, type Host, variable } from '../host.ts'
import { configFolder, inHome } from '../kept/folder.ts'
import { quoted, tokenCommand, tokenWords } from '../kept/own-copy.ts'
import { type Asked, chosenModel, type ClientKind, MESSAGE, type Protocol } from './client-kind.ts'

const RENEWAL_MS = 30_000

export const CODEX: ClientKind = {
  id: 'codex',
  name: 'Codex',
  programs: ['codex'],
  folder: codexFolder,
  plan: (asked) => {
    const { host, address, state } = asked
    const model = chosenModel(asked, /codex/, /^gpt-5/, /^gpt/)
    const [command = '', ...args] = tokenWords(host, address)
    const provider = ['model_providers', 'tollgate']
    const auth = [...provider, 'auth']
    const edits = [
      { key: ['model'], value: model },
      { key: ['model_provider'], value: 'tollgate' },
      { key: [...provider, 'name'], value: 'Tollgate' },
      { key: [...provider, 'base_url'], value: state.baseUrls.openai },
      { key: [...provider, 'wire_api'], value: 'responses' },
      { key: [...auth, 'command'], value: command },
      { key: [...auth, 'args'], value: args },
      { key: [...auth, 'timeout_ms'], value: RENEWAL_MS },
      // Only after a refusal.
      { key: [...auth, 'refresh_interval_ms'], value: 0 },
    ]
    return {
      form: 'token_command',
      files: [{ path: host.paths.join(codexFolder(host), 'config.toml'), format: 'toml', edits }],
      notes: [],
      protocol: 'openai-responses',
      model,
      message: { program: 'codex', args: ['exec', '--skip-git-repo-check', MESSAGE] },
    }
  },
}

function codexFolder(host: Host): string {
  return variable(host, 'CODEX_HOME') ?? inHome(host, '.codex')
}

export const COPILOT_CLI: ClientKind = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  programs: ['copilot'],
  folder: (host) => variable(host, 'COPILOT_HOME') ?? inHome(host, '.copilot'),
  plan: (asked) => {
    const { host, address } = asked
    const command = tokenCommand(host, address, ['--each-request'])
    const env = { ...copilotEnv(asked), COPILOT_PROVIDER_API_KEY_COMMAND: command }
    const { path, line } = shellOf(host)
    const lines = Object.entries(env).map(([name, value]) => line(name, quoted(host, value)))
    return {
      form: 'token_command',
      files: [{ path, format: 'shell', edits: [{ key: ['the block of Tollgate'], value: lines.join('\n') }] }],
      notes: ['Copilot reads this from its environment: open a new terminal first.'],
      protocol: 'openai-chat',
      model: env.COPILOT_MODEL,
      message: { program: 'copilot', args: ['-p', MESSAGE], env },
    }
  },
  env: (asked) => ({ ...copilotEnv(asked), COPILOT_PROVIDER_API_KEY: asked.secret }),
}

function copilotEnv(asked: Asked) {
  return {
    COPILOT_PROVIDER_BASE_URL: asked.state.baseUrls.openai,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_WIRE_API: 'completions',
    COPILOT_MODEL: chosenModel(asked, /^gpt-5/, /^gpt/, /^claude/),
  }
}

interface Shell {
  readonly path: string
  readonly line: (name: string, value: string) => string
}

/** The file that the person's shell reads at its start. */
function shellOf(host: Host): Shell {
  const exported = (name: string, value: string): string => `export ${name}=${value}`
  if (host.system === 'windows') {
    throw new Failure(
      'GitHub Copilot CLI is set up by variables of the environment alone: start it with tollgate run copilot-cli.',
    )
  }
  const shell = host.paths.basename(variable(host, 'SHELL') ?? 'bash')
  if (shell === 'fish') {
    const path = host.paths.join(configFolder(host), 'fish', 'conf.d', 'tollgate.fish')
    return { path, line: (name, value) => `set -gx ${name} ${value}` }
  }
  if (shell === 'zsh')
    return { path: host.paths.join(variable(host, 'ZDOTDIR') ?? inHome(host), '.zshrc'), line: exported }
  if (shell === 'bash')
    return { path: inHome(host, host.system === 'macos' ? '.bash_profile' : '.bashrc'), line: exported }
  return { path: inHome(host, '.profile'), line: exported }
}

export const PI: ClientKind = {
  id: 'pi',
  name: 'pi',
  programs: ['pi'],
  folder: (host) => inHome(host, '.pi'),
  plan: (asked) => {
    const { host, address } = asked
    const { model, api, baseUrl, protocol } = forSeveralProtocols(asked)
    const folder = variable(host, 'PI_CODING_AGENT_DIR') ?? inHome(host, '.pi', 'agent')
    const provider = {
      baseUrl,
      api: { 'anthropic-messages': 'anthropic-messages', 'openai-chat': 'openai-completions' }[api],
      apiKey: `!${tokenCommand(host, address, ['--each-request'])}`,
      models: asked.state.models.map((id) => ({ id })),
    }
    return {
      form: 'token_command',
      files: [
        {
          path: host.paths.join(folder, 'models.json'),
          format: 'json',
          edits: [{ key: ['providers', 'tollgate'], value: provider }],
        },
        {
          path: host.paths.join(folder, 'settings.json'),
          format: 'json',
          edits: [
            { key: ['defaultProvider'], value: 'tollgate' },
            { key: ['defaultModel'], value: model },
          ],
        },
      ],
      notes: [],
      protocol,
      model,
      message: { program: 'pi', args: ['-p', '--provider', 'tollgate', '--model', model, MESSAGE] },
    }
  },
}

export const OPENCODE: ClientKind = {
  id: 'opencode',
  name: 'opencode',
  programs: ['opencode'],
  folder: opencodeFolder,
  plan: (asked) => {
    const { host, address } = asked
    const { model, api, baseUrl, protocol } = forSeveralProtocols(asked)
    const folder = opencodeFolder(host)
    const names = ['opencode.jsonc', 'opencode.json', 'config.json']
    const name = names.find((each) => existsSync(host.paths.join(folder, each))) ?? 'opencode.json'
    const provider = {
      npm: { 'anthropic-messages': '@ai-sdk/anthropic', 'openai-chat': '@ai-sdk/openai-compatible' }[api],
      name: 'Tollgate',
      // The plugin gives each request its token.
      options: { baseURL: api === 'anthropic-messages' ? `${baseUrl}/v1` : baseUrl, apiKey: 'by-plugin' },
      models: Object.fromEntries(asked.state.models.map((each) => [each, {}])),
    }
    return {
      form: 'token_command',
      files: [
        {
          path: host.paths.join(folder, name),
          format: 'json',
          edits: [
            // opencode writes this line itself where it is missing.
            { key: ['$schema'], value: 'https://opencode.ai/config.json', onlyIfMissing: true },
            { key: ['model'], value: `tollgate/${model}` },
            { key: ['provider', 'tollgate'], value: provider },
          ],
        },
        {
          path: host.paths.join(folder, 'plugins', 'tollgate.js'),
          format: 'whole',
          edits: [{ key: [], value: pluginText(tokenWords(host, address, ['--each-request'])) }],
        },
      ],
      notes: [],
      protocol,
      model,
      message: { program: 'opencode', args: ['run', '-m', `tollgate/${model}`, MESSAGE] },
    }
  },
}

function opencodeFolder(host: Host): string {
  return variable(host, 'OPENCODE_CONFIG_DIR') ?? host.paths.join(configFolder(host), 'opencode')
}

/** A plugin for opencode that gives each request to the gateway the token that the command prints. */
function pluginText([program = '', ...args]: readonly string[]): string {
  return [
    '// Written by "tollgate use opencode"; "tollgate unuse opencode" takes it away.',
    "import { execFile } from 'node:child_process'",
    "import { promisify } from 'node:util'",
    '',
    'export const Tollgate = async () => ({',
    "  'chat.headers': async ({ model, provider }, output) => {",
    "    if ((model?.providerID ?? provider?.info?.id) !== 'tollgate') return",
    `    const asked = promisify(execFile)(${JSON.stringify(program)}, ${JSON.stringify(args)})`,
    '    const { stdout } = await asked.catch((error) => {',
    '      throw new Error(String(error.stderr || error.message).trim())',
    '    })',
    "    output.headers.authorization = 'Bearer ' + stdout.trim()",
    "    output.headers['x-api-key'] = stdout.trim()",
    '  },',
    '})',
    '',
  ].join('\n')
}

/** A client of several protocols speaks the own one of the model’s maker. */
function forSeveralProtocols(asked: Asked) {
  const model = chosenModel(asked, /^claude.*sonnet/, /^claude/, /^gpt/)
  const api = model.startsWith('claude') ? ('anthropic-messages' as const) : ('openai-chat' as const)
  const { anthropic, openai } = asked.state.baseUrls
  const protocol: Protocol = api
  return { model, api, protocol, baseUrl: api === 'anthropic-messages' ? anthropic : openai }
}
