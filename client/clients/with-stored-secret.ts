/** Clients that read a secret from a file of their own, and those whose files this program does not write. */
import { existsSync } from 'node:fs'
import { Failure } from '../host.ts'
import { inHome } from '../kept/folder.ts'
import { readText } from '../kept/whole-file.ts'
import { type Asked, chosenModel, type ClientKind, MESSAGE } from './client-kind.ts'

export const GEMINI_CLI: ClientKind = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  programs: ['gemini'],
  folder: (host) => inHome(host, '.gemini'),
  plan: (asked) => {
    const { host } = asked
    const model = chosenModel(asked, /^gemini.*flash/, /^gemini/)
    const env = { GOOGLE_GEMINI_BASE_URL: asked.address, GEMINI_API_KEY: asked.secret, GEMINI_MODEL: model }
    return {
      form: 'stored',
      files: [
        envFile(inHome(host, '.gemini', '.env'), env),
        {
          path: inHome(host, '.gemini', 'settings.json'),
          format: 'json',
          edits: [{ key: ['security', 'auth', 'selectedType'], value: 'gemini-api-key' }],
        },
      ],
      notes: ['A .env file in a project comes before this one.'],
      protocol: 'gemini',
      model,
      message: { program: 'gemini', args: ['--skip-trust', '-p', MESSAGE] },
    }
  },
  env: (asked) => {
    // Where no way is chosen, 0.61 takes the address for one that it then refuses.
    const settings = readText(inHome(asked.host, '.gemini', 'settings.json')) ?? ''
    if (!/"selectedType"\s*:\s*"gemini-api-key"/.test(settings)) {
      throw new Failure(
        'Gemini CLI takes a token from its environment only where ~/.gemini/settings.json has gemini-api-key as security.auth.selectedType: set that, or run tollgate use gemini-cli',
      )
    }
    return {
      GOOGLE_GEMINI_BASE_URL: asked.address,
      GEMINI_API_KEY: asked.secret,
      GEMINI_MODEL: chosenModel(asked, /^gemini/),
    }
  },
}

export const QWEN_CODE: ClientKind = {
  id: 'qwen-code',
  name: 'Qwen Code',
  programs: ['qwen'],
  folder: (host) => inHome(host, '.qwen'),
  plan: (asked) => {
    const { host } = asked
    const env = openAiEnv(asked, /coder/, /^qwen/, /^gpt/)
    return {
      form: 'stored',
      files: [
        envFile(inHome(host, '.qwen', '.env'), env),
        {
          path: inHome(host, '.qwen', 'settings.json'),
          format: 'json',
          edits: [{ key: ['security', 'auth', 'selectedType'], value: 'openai' }],
        },
      ],
      notes: ['A .env file in a project comes before this one.'],
      protocol: 'openai-chat',
      model: env.OPENAI_MODEL,
      message: { program: 'qwen', args: ['-p', MESSAGE] },
    }
  },
  env: (asked) => openAiEnv(asked, /coder/, /^qwen/, /^gpt/),
}

function openAiEnv(asked: Asked, ...wanted: readonly RegExp[]) {
  return {
    OPENAI_BASE_URL: asked.state.baseUrls.openai,
    OPENAI_API_KEY: asked.secret,
    OPENAI_MODEL: chosenModel(asked, ...wanted),
  }
}

function envFile(path: string, env: Readonly<Record<string, string>>) {
  return { path, format: 'env' as const, edits: Object.entries(env).map(([name, value]) => ({ key: [name], value })) }
}

export const AIDER: ClientKind = {
  id: 'aider',
  name: 'Aider',
  programs: ['aider'],
  folder: (host) => inHome(host, '.aider'),
  plan: (asked) => {
    const model = chosenModel(asked, /^claude.*sonnet/, /^gpt-5/)
    return {
      form: 'stored',
      files: [
        {
          path: inHome(asked.host, '.aider.conf.yml'),
          format: 'yaml',
          edits: [
            { key: ['openai-api-base'], value: asked.state.baseUrls.openai },
            { key: ['openai-api-key'], value: asked.secret },
            { key: ['model'], value: `openai/${model}` },
          ],
        },
      ],
      notes: ['A .aider.conf.yml in a project comes before this one.'],
      protocol: 'openai-chat',
      model,
      message: {
        program: 'aider',
        args: ['--no-show-model-warnings', '--no-git', '--yes-always', '--message', MESSAGE],
      },
    }
  },
  env: (asked) => ({ OPENAI_API_BASE: asked.state.baseUrls.openai, OPENAI_API_KEY: asked.secret }),
}

export const KILO: ClientKind = {
  id: 'kilo',
  name: 'Kilo Code',
  programs: ['kilo'],
  folder: (host) => inHome(host, '.config', 'kilo'),
  plan: (asked) => {
    const model = chosenModel(asked, /^claude.*sonnet/, /^claude/, /^gpt/)
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Tollgate',
      options: { baseURL: asked.state.baseUrls.openai, apiKey: asked.secret },
      models: Object.fromEntries(asked.state.models.map((each) => [each, {}])),
    }
    return {
      form: 'stored',
      files: [
        {
          path: inHome(asked.host, '.config', 'kilo', 'kilo.json'),
          format: 'json',
          edits: [
            { key: ['model'], value: `tollgate/${model}` },
            { key: ['provider', 'tollgate'], value: provider },
          ],
        },
      ],
      notes: [],
      protocol: 'openai-chat',
      model,
      message: { program: 'kilo', args: ['run', '-m', `tollgate/${model}`, MESSAGE] },
    }
  },
}

export const CONTINUE: ClientKind = {
  id: 'continue',
  name: 'Continue',
  programs: ['cn'],
  folder: (host) => inHome(host, '.continue'),
  plan: (asked) => {
    const path = inHome(asked.host, '.continue', 'config.yaml')
    const model = chosenModel(asked, /^claude.*sonnet/, /^gpt/)
    if (existsSync(path) && !asked.isSetUp)
      throw byHand(
        asked,
        'Continue',
        `below "models:" in ${path}: provider: openai, model: ${model}, apiBase: ${asked.state.baseUrls.openai} and apiKey`,
      )
    const text = [
      'name: Tollgate',
      'version: 1.0.0',
      'schema: v1',
      'models:',
      `  - name: ${JSON.stringify(`Tollgate: ${model}`)}`,
      '    provider: openai',
      `    model: ${JSON.stringify(model)}`,
      `    apiKey: ${JSON.stringify(asked.secret)}`,
      `    apiBase: ${JSON.stringify(asked.state.baseUrls.openai)}`,
      '',
    ].join('\n')
    return {
      form: 'stored',
      files: [{ path, format: 'whole', edits: [{ key: [], value: text }] }],
      notes: [],
      protocol: 'openai-chat',
      model,
      message: { program: 'cn', args: ['-p', MESSAGE] },
    }
  },
}

/** Clients that are set up in a window, a vault or their environment, and what goes where. */
export const BY_HAND: Readonly<Record<string, { readonly name: string; readonly where: (asked: Asked) => string }>> = {
  goose: {
    name: 'Goose',
    where: ({ address }) => `"goose configure", OpenAI: host ${address}, base path v1/chat/completions`,
  },
  'kimi-code': { name: 'Kimi Code', where: ({ address }) => `"kimi provider add ${address}/api.json"` },
  cline: { name: 'Cline', where: ({ state }) => `its settings, OpenAI Compatible: base URL ${state.baseUrls.openai}` },
  cursor: {
    name: 'Cursor',
    where: ({ state }) => `Settings, Models, Override OpenAI Base URL: ${state.baseUrls.openai}`,
  },
  'open-webui': {
    name: 'Open WebUI',
    where: ({ state }) => `Admin Settings, Connections, OpenAI: ${state.baseUrls.openai}`,
  },
  'claude-code-router': {
    name: 'claude-code-router',
    where: ({ state }) =>
      `Providers in ~/.claude-code-router/config.json: api_base_url ${state.baseUrls.openai}/chat/completions`,
  },
  crush: {
    name: 'Crush',
    where: ({ state }) => `providers in its crush.json: type openai-compat, base_url ${state.baseUrls.openai}`,
  },
}

/** What is pasted where, as a sentence: this program changes nothing then. */
export function byHand({ address }: Pick<Asked, 'address'>, name: string, where: string): Failure {
  return new Failure(
    `${name} is set up by hand. Make an API key at ${address}/console/keys, and enter it with the address in ${where}.`,
  )
}
