/** Clients of the terminal. What stands in their files was tried with the clients: test/journeys/snippets.test.ts. */
import {
  type ClientDescription,
  clientBaseUrl,
  KEY_ALONE,
  KEY_VARIABLE,
  MESSAGE,
  type SetupModel,
  USUAL_CONTEXT_TOKENS,
  USUAL_OUTPUT_TOKENS,
  type WayContext,
} from './client-description.ts'
import { claudeSlots } from './model-choice.ts'

const OPENAI_AND_ANTHROPIC = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const

/** A fresh Claude Code starts with ANTHROPIC_AUTH_TOKEN; with ANTHROPIC_API_KEY it stops at its first questions. */
const CLAUDE_CODE = {
  ANTHROPIC_BASE_URL: '{origin}',
  ANTHROPIC_AUTH_TOKEN: '{key}',
  ANTHROPIC_MODEL: '{model}',
  // The model of all that Claude Code does beside the conversation, whatever else is set.
  ANTHROPIC_DEFAULT_HAIKU_MODEL: '{haiku_model}',
}
const CLAUDE_CODE_EXTRA = {
  ANTHROPIC_DEFAULT_SONNET_MODEL: '{sonnet_model}',
  ANTHROPIC_DEFAULT_OPUS_MODEL: '{opus_model}',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
}

const CODEX_PROVIDER = { name: 'Tollgate', base_url: '{base_url}', env_key: KEY_VARIABLE, wire_api: 'responses' }

/** The packages by which opencode and its kin speak the protocols. */
const OPENCODE_PACKAGES = {
  'openai-chat': '@ai-sdk/openai-compatible',
  'openai-responses': '@ai-sdk/openai',
  'anthropic-messages': '@ai-sdk/anthropic',
}

/** Rows stand in the order in which the clients are shown. */
export const TERMINAL_CLIENTS: readonly ClientDescription[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    protocols: ['anthropic-messages'],
    advice: [
      'other_anthropic_key_wins',
      'root_without_v1',
      'slots_of_models',
      'traffic_and_updates',
      'keep_out_of_repository',
    ],
    slots: claudeSlots,
    install: 'npm install -g @anthropic-ai/claude-code',
    unset: ['ANTHROPIC_API_KEY'],
    set: CLAUDE_CODE,
    extra: CLAUDE_CODE_EXTRA,
    keepFile: { path: '~/.claude/settings.json', content: { env: { ...CLAUDE_CODE, ...CLAUDE_CODE_EXTRA } } },
    try: ['claude', '-p', MESSAGE],
    header: { variable: 'ANTHROPIC_CUSTOM_HEADERS' },
  },
  {
    id: 'codex',
    name: 'Codex',
    protocols: ['openai-responses'],
    advice: ['own_provider_entry', 'keep_out_of_repository'],
    install: 'npm install -g @openai/codex',
    file: {
      path: '~/.codex/config.toml',
      content: [
        'model = "{model}"',
        'model_provider = "tollgate"',
        '',
        '[model_providers.tollgate]',
        ...Object.entries(CODEX_PROVIDER).map(([name, value]) => `${name} = "${value}"`),
      ].join('\n'),
    },
    set: KEY_ALONE,
    try: ['codex', 'exec', '--skip-git-repo-check', MESSAGE],
    header: { words: ['-c', 'model_providers.tollgate.http_headers.{mark_header}={mark}'] },
    // A value that is not TOML is taken as a string, so that no shell has to keep quotation marks.
    withoutFile: [
      'codex',
      'exec',
      ...['model={model}', 'model_provider=tollgate'].flatMap((word) => ['-c', word]),
      ...Object.entries(CODEX_PROVIDER).flatMap(([name, value]) => ['-c', `model_providers.tollgate.${name}=${value}`]),
      '--skip-git-repo-check',
      MESSAGE,
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    protocols: OPENAI_AND_ANTHROPIC,
    apiNames: OPENCODE_PACKAGES,
    install: 'npm install -g opencode-ai',
    file: {
      path: '~/.config/opencode/opencode.json',
      content: (way, api) => ({ $schema: 'https://opencode.ai/config.json', ...openCodeConfig(way, api) }),
    },
    set: KEY_ALONE,
    try: ['opencode', 'run', '-m', 'tollgate/{model}', MESSAGE],
  },
  {
    id: 'kilo',
    name: 'Kilo Code',
    protocols: OPENAI_AND_ANTHROPIC,
    apiNames: OPENCODE_PACKAGES,
    install: 'npm install -g @kilocode/cli',
    file: { path: '~/.config/kilo/kilo.json', content: openCodeConfig },
    set: KEY_ALONE,
    try: ['kilo', 'run', '-m', 'tollgate/{model}', MESSAGE],
  },
  {
    // Models need both sizes, and `large` and `small` say which are used. (charmbracelet/crush, "Custom Providers", read in
    // November 2026.)
    id: 'crush',
    name: 'Crush',
    install: 'npm install -g @charmland/crush',
    file: {
      path: '~/.config/crush/crush.json',
      windowsPath: '%LOCALAPPDATA%\\crush\\crush.json',
      content: ({ openaiBaseUrl, inFiles }) => {
        const used = { provider: 'tollgate', model: '{model}' }
        const models = inFiles.map(({ name, contextTokens, maxOutputTokens }) => ({
          id: name,
          name,
          context_window: contextTokens ?? USUAL_CONTEXT_TOKENS,
          default_max_tokens: maxOutputTokens ?? USUAL_OUTPUT_TOKENS,
        }))
        const provider = {
          name: 'Tollgate',
          type: 'openai-compat',
          base_url: openaiBaseUrl,
          api_key: `$${KEY_VARIABLE}`,
        }
        return { providers: { tollgate: { ...provider, models } }, models: { large: used, small: used } }
      },
    },
    set: KEY_ALONE,
    try: ['crush', 'run', MESSAGE],
  },
  {
    id: 'pi',
    name: 'pi',
    protocols: OPENAI_AND_ANTHROPIC,
    apiNames: {
      'openai-chat': 'openai-completions',
      'openai-responses': 'openai-responses',
      'anthropic-messages': 'anthropic-messages',
    },
    install: 'npm install -g @mariozechner/pi-coding-agent',
    file: {
      path: '~/.pi/agent/models.json',
      content: (way, api) => {
        const models = way.inFiles.map(({ name, contextTokens, maxOutputTokens }) => ({
          id: name,
          ...(contextTokens === null ? {} : { contextWindow: contextTokens }),
          ...(maxOutputTokens === null ? {} : { maxTokens: maxOutputTokens }),
        }))
        // `apiKey` is the name of a variable, which pi looks up.
        return { providers: { tollgate: { baseUrl: clientBaseUrl(way), api, apiKey: KEY_VARIABLE, models } } }
      },
    },
    set: KEY_ALONE,
    try: ['pi', '-p', '--provider', 'tollgate', '--model', '{model}', MESSAGE],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    protocols: ['gemini'],
    advice: ['root_without_v1', 'keep_out_of_repository'],
    install: 'npm install -g @google/gemini-cli',
    file: { path: '~/.gemini/settings.json', content: { security: { auth: { selectedType: 'gemini-api-key' } } } },
    set: { GOOGLE_GEMINI_BASE_URL: '{origin}', GEMINI_API_KEY: '{key}', GEMINI_MODEL: '{model}' },
    // Without a terminal to ask in, it works only in folders that were trusted before.
    try: ['gemini', '--skip-trust', '-p', MESSAGE],
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    advice: ['interactive_auth_type', 'keep_out_of_repository'],
    install: 'npm install -g @qwen-code/qwen-code',
    set: { OPENAI_BASE_URL: '{base_url}', OPENAI_API_KEY: '{key}', OPENAI_MODEL: '{model}' },
    try: ['qwen', '--auth-type', 'openai', '-p', MESSAGE],
  },
  {
    id: 'copilot-cli',
    name: 'GitHub Copilot CLI',
    protocols: OPENAI_AND_ANTHROPIC,
    // Copilot asks only where the provider has several APIs.
    apiNames: { 'openai-chat': 'completions', 'openai-responses': 'responses', 'anthropic-messages': '' },
    install: 'npm install -g @github/copilot',
    set: {
      COPILOT_PROVIDER_BASE_URL: '{client_url}',
      COPILOT_PROVIDER_API_KEY: '{key}',
      COPILOT_PROVIDER_TYPE: '{family}',
      COPILOT_PROVIDER_WIRE_API: '{api}',
      COPILOT_MODEL: '{model}',
    },
    try: ['copilot', '-p', MESSAGE],
  },
  {
    id: 'kimi-code',
    name: 'Kimi Code',
    protocols: OPENAI_AND_ANTHROPIC,
    apiNames: { 'openai-responses': 'openai_responses' },
    install: 'npm install -g @moonshot-ai/kimi-code',
    set: {
      KIMI_MODEL_NAME: '{model}',
      KIMI_MODEL_BASE_URL: '{client_url}',
      KIMI_MODEL_API_KEY: '{key}',
      KIMI_MODEL_PROVIDER_TYPE: '{api}',
    },
    try: ['kimi', '-p', MESSAGE],
  },
  {
    id: 'cline',
    name: 'Cline',
    advice: ['file_holds_key'],
    install: 'npm install -g cline',
    // By way of a variable, so that the secret is not in the command that cline gets from the history.
    set: KEY_ALONE,
    command: [
      'cline',
      'auth',
      '-p',
      'openai-compatible',
      '-k',
      { variable: KEY_VARIABLE },
      '-b',
      '{base_url}',
      '-m',
      '{model}',
    ],
    try: ['cline', MESSAGE],
  },
  {
    // Names of models that it does not know make it warn and ask. (aider.chat, "OpenAI compatible APIs", read in November 2026.)
    id: 'aider',
    name: 'Aider',
    install: '{python} -m pip install aider-chat',
    set: { OPENAI_API_BASE: '{base_url}', OPENAI_API_KEY: '{key}' },
    try: ['aider', '--no-show-model-warnings', '--model', 'openai/{model}', '--message', MESSAGE],
  },
  {
    // It asks for host and path apart. (goose's guide to environment variables and its provider table, read in November 2026.)
    id: 'goose',
    name: 'Goose',
    advice: ['root_without_v1', 'keep_out_of_repository'],
    set: {
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: '{model}',
      OPENAI_HOST: '{origin}',
      OPENAI_BASE_PATH: 'v1/chat/completions',
      OPENAI_API_KEY: '{key}',
    },
    try: ['goose', 'run', '--no-session', '-t', MESSAGE],
  },
  {
    id: 'continue',
    name: 'Continue',
    protocols: ['openai-chat', 'anthropic-messages'],
    advice: ['file_holds_key', 'keep_out_of_repository'],
    install: 'npm install -g @continuedev/cli',
    file: {
      path: '~/.continue/config.yaml',
      note: 'merge_list_into_file',
      content: [
        'name: Tollgate',
        'version: 1.0.0',
        'schema: v1',
        'models:',
        '  - name: "{name}: {model}"',
        '    provider: {family}',
        '    model: "{model}"',
        '    apiKey: "{key}"',
        '    apiBase: "{base_url}"',
      ].join('\n'),
    },
    try: ['cn', '-p', MESSAGE],
  },
  {
    id: 'claude-code-router',
    name: 'claude-code-router',
    advice: ['opens_session', 'full_path_on_purpose', 'file_holds_key'],
    install: 'npm install -g @musistudio/claude-code-router',
    file: {
      path: '~/.claude-code-router/config.json',
      note: 'merge_list_into_file',
      content: ({ openaiBaseUrl, inFiles }) => {
        const provider = { name: 'tollgate', api_base_url: `${openaiBaseUrl}/chat/completions`, api_key: '{key}' }
        const models = inFiles.map(({ name }) => name)
        return { Providers: [{ ...provider, models }], Router: { default: 'tollgate,{model}' } }
      },
    },
    try: ['ccr', 'code'],
  },
]

/** The entry of a provider as opencode has it: the package decides which protocol is spoken, and all of them append to `/v1`. */
function openCodeConfig({ openaiBaseUrl, inFiles }: WayContext, npm: string): object {
  const options = { baseURL: openaiBaseUrl, apiKey: `{env:${KEY_VARIABLE}}` }
  const models = Object.fromEntries(inFiles.map((model) => [model.name, openCodeLimits(model)]))
  return { model: 'tollgate/{model}', provider: { tollgate: { npm, name: 'Tollgate', options, models } } }
}

/** The limits of a model, which opencode takes only whole. */
function openCodeLimits({
  contextTokens,
  maxOutputTokens,
}: Pick<SetupModel, 'contextTokens' | 'maxOutputTokens'>): object {
  if (contextTokens === null || maxOutputTokens === null) return {}
  return { limit: { context: contextTokens, output: maxOutputTokens } }
}
