import { type ClientDescription, clientBaseUrl, type SetupModel, type WayContext } from './client-description.ts'
import { claudeSlots } from './model-choice.ts'
import { terminalSystems } from './terminal-steps.ts'
import type { SetupProtocol } from '../../../contract/setup.ts'
import { familyOf } from '../../../core/wire.ts'

/** The variable that keeps the secret out of files. */
const KEY_VARIABLE = 'TOLLGATE_API_KEY'

/** A first message: short, so that it costs next to nothing. */
const MESSAGE = 'Say hello in one word.'

// One description per client of the terminal that is set up by a file. What stands in the files was tried with the
// clients themselves: test/journeys/snippets.test.ts.

const claudeCode: ClientDescription = {
  id: 'claude-code',
  name: 'Claude Code',
  category: 'cli',
  protocols: ['anthropic-messages'],
  advice: [
    'other_anthropic_key_wins',
    'root_without_v1',
    'slots_of_models',
    'traffic_and_updates',
    'keep_out_of_repository',
  ],
  slots: claudeSlots,
  systems: ({ origin }) => {
    // With ANTHROPIC_API_KEY a fresh Claude Code stops at its first questions; with the other one it starts.
    const set = [
      ['ANTHROPIC_BASE_URL', origin],
      ['ANTHROPIC_AUTH_TOKEN', '{key}'],
      ['ANTHROPIC_MODEL', '{model}'],
      // What it does beside the conversation goes to this one, whatever else is set.
      ['ANTHROPIC_DEFAULT_HAIKU_MODEL', '{haiku_model}'],
    ] as const
    const extra = [
      ['ANTHROPIC_DEFAULT_SONNET_MODEL', '{sonnet_model}'],
      ['ANTHROPIC_DEFAULT_OPUS_MODEL', '{opus_model}'],
      ['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC', '1'],
    ] as const
    return terminalSystems({
      install: 'npm install -g @anthropic-ai/claude-code',
      unset: ['ANTHROPIC_API_KEY'],
      set,
      extra,
      keepFiles: [
        {
          path: '~/.claude/settings.json',
          language: 'json',
          text: json({ env: Object.fromEntries([...set, ...extra]) }),
        },
      ],
      try: ['claude', '-p', MESSAGE],
      header: { variable: 'ANTHROPIC_CUSTOM_HEADERS' },
    })
  },
}

const codex: ClientDescription = {
  id: 'codex',
  name: 'Codex',
  category: 'cli',
  protocols: ['openai-responses'],
  advice: ['own_provider_entry', 'keep_out_of_repository'],
  systems: ({ openaiBaseUrl }) =>
    terminalSystems({
      install: 'npm install -g @openai/codex',
      files: [
        {
          path: '~/.codex/config.toml',
          language: 'toml',
          text: [
            'model = "{model}"',
            'model_provider = "tollgate"',
            '',
            '[model_providers.tollgate]',
            'name = "Tollgate"',
            `base_url = "${openaiBaseUrl}"`,
            `env_key = "${KEY_VARIABLE}"`,
            'wire_api = "responses"',
          ].join('\n'),
        },
      ],
      set: [[KEY_VARIABLE, '{key}']],
      try: ['codex', 'exec', '--skip-git-repo-check', MESSAGE],
      header: { words: (name, value) => ['-c', `model_providers.tollgate.http_headers.${name}=${value}`] },
      // A value that is not TOML is taken as a string, so that no shell has to keep quotation marks.
      withoutFile: [
        'codex',
        'exec',
        ...Object.entries({
          model: '{model}',
          model_provider: 'tollgate',
          'model_providers.tollgate.name': 'Tollgate',
          'model_providers.tollgate.base_url': openaiBaseUrl,
          'model_providers.tollgate.env_key': KEY_VARIABLE,
          'model_providers.tollgate.wire_api': 'responses',
        }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        '--skip-git-repo-check',
        MESSAGE,
      ],
    }),
}

const opencode: ClientDescription = {
  id: 'opencode',
  listsModels: true,
  name: 'opencode',
  category: 'cli',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['keep_out_of_repository'],
  systems: (way) =>
    terminalSystems({
      install: 'npm install -g opencode-ai',
      files: [
        {
          path: '~/.config/opencode/opencode.json',
          language: 'json',
          text: json({ $schema: 'https://opencode.ai/config.json', ...openCodeConfig(way) }),
        },
      ],
      set: [[KEY_VARIABLE, '{key}']],
      try: ['opencode', 'run', '-m', 'tollgate/{model}', MESSAGE],
    }),
}

const kilo: ClientDescription = {
  id: 'kilo',
  listsModels: true,
  name: 'Kilo Code',
  category: 'cli',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['keep_out_of_repository'],
  systems: (way) =>
    terminalSystems({
      install: 'npm install -g @kilocode/cli',
      files: [{ path: '~/.config/kilo/kilo.json', language: 'json', text: json(openCodeConfig(way)) }],
      set: [[KEY_VARIABLE, '{key}']],
      try: ['kilo', 'run', '-m', 'tollgate/{model}', MESSAGE],
    }),
}

/** What pi calls a wire, where it has a name of its own for it. */
const PI_APIS: Partial<Record<SetupProtocol, string>> = { 'openai-chat': 'openai-completions' }

const pi: ClientDescription = {
  id: 'pi',
  listsModels: true,
  name: 'pi',
  category: 'cli',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['keep_out_of_repository'],
  systems: (way) => {
    const provider = {
      baseUrl: clientBaseUrl(way),
      api: PI_APIS[way.protocol] ?? way.protocol,
      // The name of a variable, which pi looks up.
      apiKey: KEY_VARIABLE,
      models: way.inFiles.map(({ name, contextTokens, maxOutputTokens }) => ({
        id: name,
        ...(contextTokens === null ? {} : { contextWindow: contextTokens }),
        ...(maxOutputTokens === null ? {} : { maxTokens: maxOutputTokens }),
      })),
    }
    return terminalSystems({
      install: 'npm install -g @mariozechner/pi-coding-agent',
      files: [{ path: '~/.pi/agent/models.json', language: 'json', text: json({ providers: { tollgate: provider } }) }],
      set: [[KEY_VARIABLE, '{key}']],
      try: ['pi', '-p', '--provider', 'tollgate', '--model', '{model}', MESSAGE],
    })
  },
}

/** Its models need both sizes, and `large` and `small` say which are used. (charmbracelet/crush, "Custom Providers", read in November 2026.) */
const crush: ClientDescription = {
  id: 'crush',
  listsModels: true,
  name: 'Crush',
  category: 'cli',
  protocols: ['openai-chat'],
  advice: ['keep_out_of_repository'],
  systems: ({ openaiBaseUrl, inFiles }) => {
    const used = { provider: 'tollgate', model: '{model}' }
    const provider = {
      name: 'Tollgate',
      type: 'openai-compat',
      base_url: openaiBaseUrl,
      api_key: `$${KEY_VARIABLE}`,
      models: inFiles.map(({ name, contextTokens, maxOutputTokens }) => ({
        id: name,
        name,
        context_window: contextTokens ?? USUAL_CONTEXT,
        default_max_tokens: maxOutputTokens ?? USUAL_OUTPUT,
      })),
    }
    return terminalSystems({
      install: 'npm install -g @charmland/crush',
      files: [
        {
          path: '~/.config/crush/crush.json',
          windowsPath: '%LOCALAPPDATA%\\crush\\crush.json',
          language: 'json',
          text: json({ providers: { tollgate: provider }, models: { large: used, small: used } }),
        },
      ],
      set: [[KEY_VARIABLE, '{key}']],
      try: ['crush', 'run', MESSAGE],
    })
  },
}

/** For a file that takes no model without sizes: what most models have at least, in tokens. */
const USUAL_CONTEXT = 128_000
const USUAL_OUTPUT = 8_192

const continueDev: ClientDescription = {
  id: 'continue',
  name: 'Continue',
  category: 'cli',
  protocols: ['openai-chat', 'anthropic-messages'],
  advice: ['file_holds_key', 'keep_out_of_repository'],
  systems: ({ protocol, openaiBaseUrl }) =>
    terminalSystems({
      install: 'npm install -g @continuedev/cli',
      files: [
        {
          path: '~/.continue/config.yaml',
          language: 'yaml',
          note: 'merge_list_into_file',
          text: [
            'name: Tollgate',
            'version: 1.0.0',
            'schema: v1',
            'models:',
            '  - name: "{name}: {model}"',
            `    provider: ${familyOf(protocol)}`,
            '    model: "{model}"',
            '    apiKey: "{key}"',
            `    apiBase: "${openaiBaseUrl}"`,
          ].join('\n'),
        },
      ],
      try: ['cn', '-p', MESSAGE],
    }),
}

const claudeCodeRouter: ClientDescription = {
  id: 'claude-code-router',
  listsModels: true,
  name: 'claude-code-router',
  category: 'cli',
  protocols: ['openai-chat'],
  advice: ['opens_session', 'full_path_on_purpose', 'file_holds_key'],
  systems: ({ openaiBaseUrl, inFiles }) =>
    terminalSystems({
      install: 'npm install -g @musistudio/claude-code-router',
      files: [
        {
          path: '~/.claude-code-router/config.json',
          language: 'json',
          note: 'merge_list_into_file',
          text: json({
            Providers: [
              {
                name: 'tollgate',
                api_base_url: `${openaiBaseUrl}/chat/completions`,
                api_key: '{key}',
                models: inFiles.map(({ name }) => name),
              },
            ],
            Router: { default: 'tollgate,{model}' },
          }),
        },
      ],
      try: ['ccr', 'code'],
    }),
}

export const CODING_AGENTS: readonly ClientDescription[] = [claudeCode, codex, opencode, kilo, crush, pi]

/** Those that keep the key itself in their file. */
export const AGENTS_WITH_KEY_FILES: readonly ClientDescription[] = [continueDev, claudeCodeRouter]

/** opencode's provider entry: the package decides which protocol is spoken, and all three of them append to `/v1`. */
function openCodeConfig({ protocol, openaiBaseUrl, inFiles }: WayContext): object {
  const packages: Partial<Record<WayContext['protocol'], string>> = {
    'openai-responses': '@ai-sdk/openai',
    'anthropic-messages': '@ai-sdk/anthropic',
  }
  const tollgate = {
    npm: packages[protocol] ?? '@ai-sdk/openai-compatible',
    name: 'Tollgate',
    options: { baseURL: openaiBaseUrl, apiKey: `{env:${KEY_VARIABLE}}` },
    models: Object.fromEntries(inFiles.map((model) => [model.name, openCodeModel(model)])),
  }
  return { model: 'tollgate/{model}', provider: { tollgate } }
}

/** It takes a limit only whole. */
function openCodeModel({
  contextTokens,
  maxOutputTokens,
}: Pick<SetupModel, 'contextTokens' | 'maxOutputTokens'>): object {
  if (contextTokens === null || maxOutputTokens === null) return {}
  return { limit: { context: contextTokens, output: maxOutputTokens } }
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}
