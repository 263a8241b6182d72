import type { ApiKeyView } from '../../src/contract/keys.ts'
import type {
  ImportOption,
  ImportTarget,
  KeySetup,
  SetupClient,
  SetupStep,
  SetupWay,
} from '../../src/contract/setup.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const MESSAGE = 'Say hello in one word.'

const MODELS: KeySetup['models'] = [
  model('claude-sonnet-5', ['anthropic-messages', 'openai-chat']),
  model('claude-haiku-5', ['anthropic-messages', 'openai-chat']),
  model('gpt-5.5', ['openai-chat', 'openai-responses']),
  model('gpt-5.5-mini', ['openai-chat', 'openai-responses']),
]

/** A few clients of each kind, as the server describes them. */
export function mockKeySetup(key: Pick<ApiKeyView, 'name'>): KeySetup {
  return {
    base_urls: { openai: `${ORIGIN}/v1`, anthropic: ORIGIN },
    provider_name: `Tollgate ${key.name}`,
    models: MODELS,
    clients: [claudeCode(), codex(), geminiCli(), openaiSdk(), curl(), cherryStudio()],
    imports: imports(),
  }
}

function claudeCode(): SetupClient {
  const set = [
    ['ANTHROPIC_BASE_URL', ORIGIN],
    ['ANTHROPIC_AUTH_TOKEN', '{key}'],
    ['ANTHROPIC_MODEL', '{model}'],
    ['ANTHROPIC_DEFAULT_HAIKU_MODEL', '{haiku_model}'],
  ] as const
  const way: SetupWay = {
    protocol: 'anthropic-messages',
    models: ['claude-sonnet-5', 'claude-haiku-5'],
    slots: [
      { placeholder: 'model', suggested: 'claude-sonnet-5' },
      { placeholder: 'haiku_model', suggested: 'claude-haiku-5' },
      { placeholder: 'sonnet_model', suggested: 'claude-sonnet-5' },
      { placeholder: 'opus_model', suggested: 'claude-sonnet-5' },
    ],
    systems: systems({ install: 'npm install -g @anthropic-ai/claude-code', set, send: `claude -p '${MESSAGE}'` }),
  }
  const advice = ['other_anthropic_key_wins', 'root_without_v1', 'keep_out_of_repository'] as const
  return client({ id: 'claude-code', name: 'Claude Code', ways: [way], advice: [...advice] })
}

function codex(): SetupClient {
  const lines = [
    'model = "{model}"',
    'model_provider = "tollgate"',
    '',
    '[model_providers.tollgate]',
    'name = "{name}"',
  ]
  const file: SetupStep = {
    ...step({ purpose: 'set', note: 'merge_into_file', text: [...lines, `base_url = "${ORIGIN}/v1"`].join('\n') }),
    kind: 'file',
    language: 'toml',
    path: '~/.codex/config.toml',
    merge: true,
    escapes: ['json'],
  }
  const way: SetupWay = {
    protocol: 'openai-responses',
    models: ['gpt-5.5', 'gpt-5.5-mini'],
    slots: [{ placeholder: 'model', suggested: 'gpt-5.5' }],
    systems: systems({ file, set: [['TOLLGATE_API_KEY', '{key}']], send: `codex exec '${MESSAGE}'` }),
  }
  return client({ id: 'codex', name: 'Codex CLI', ways: [way], advice: ['own_provider_entry'] })
}

function geminiCli(): SetupClient {
  return { ...client({ id: 'gemini-cli', name: 'Gemini CLI', ways: [] }), unavailable: 'no_model_of_protocol' }
}

function openaiSdk(): SetupClient {
  const set = [
    ['OPENAI_BASE_URL', `${ORIGIN}/v1`],
    ['OPENAI_API_KEY', '{key}'],
  ] as const
  const chat: SetupWay = {
    protocol: 'openai-chat',
    models: MODELS.map(({ name }) => name),
    slots: [{ placeholder: 'model', suggested: 'gpt-5.5' }],
    systems: systems({ set, send: 'python hello.py' }),
  }
  const responses: SetupWay = { ...chat, protocol: 'openai-responses', models: ['gpt-5.5', 'gpt-5.5-mini'] }
  return client({ id: 'openai-python', name: 'OpenAI SDK (Python)', category: 'sdk', ways: [chat, responses] })
}

function curl(): SetupClient {
  const body = `{"model":"{model}","messages":[{"role":"user","content":"${MESSAGE}"}]}`
  const send = [`curl '${ORIGIN}/v1/chat/completions'`, '-H "Authorization: Bearer $TOLLGATE_API_KEY"', `-d '${body}'`]
  const way: SetupWay = {
    protocol: 'openai-chat',
    models: MODELS.map(({ name }) => name),
    slots: [{ placeholder: 'model', suggested: 'gpt-5.5' }],
    systems: systems({ set: [['TOLLGATE_API_KEY', '{key}']], send: send.join(' \\\n  ') }),
  }
  return client({ id: 'curl', name: 'curl', category: 'http', ways: [way], advice: ['history_holds_key'] })
}

function cherryStudio(): SetupClient {
  const fields = [
    { label: 'Provider Type', value: 'OpenAI' },
    { label: 'API Key', value: '{key}' },
    { label: 'API Host', value: ORIGIN },
    { label: 'Model ID', value: '{model}' },
  ]
  const where = 'Settings → Model Provider → Add'
  const settings: SetupStep = { kind: 'settings', purpose: 'set', note: 'fields_in_app', where, fields }
  const way: SetupWay = {
    protocol: 'openai-chat',
    models: MODELS.map(({ name }) => name),
    slots: [{ placeholder: 'model', suggested: 'gpt-5.5' }],
    systems: [{ system: 'any', steps: [settings] }],
  }
  return client({
    id: 'cherry-studio',
    name: 'Cherry Studio',
    category: 'app',
    ways: [way],
    advice: ['root_without_v1'],
  })
}

function imports(): KeySetup['imports'] {
  const payload = { type: 'openai', name: '{name}', apiKey: '{key}', baseUrl: `${ORIGIN}/v1` }
  const web = 'https://chat.example.test/?key={key}'
  return [
    importTarget('cc-switch', 'CC Switch', {
      warnings: ['new_entry_each_time'],
      options: [
        ccSwitchOption('claude', 'Claude Code', 'claude-sonnet-5'),
        ccSwitchOption('codex', 'Codex', 'gpt-5.5'),
      ],
    }),
    importTarget('kelivo', 'Kelivo', {
      show_as: 'qr',
      warnings: ['scan_with_phone'],
      options: [plainOption({ encoding: 'base64_json_plain', prefix: 'ai-provider:v1:', payload })],
    }),
    importTarget('lobechat', 'LobeChat', {
      warnings: ['key_reaches_web_server'],
      options: [plainOption({ encoding: 'template', template: web })],
    }),
  ]
}

function importTarget(id: string, name: string, about: Partial<ImportTarget>): ImportTarget {
  return { id, name, show_as: 'link', is_custom: false, unavailable: null, warnings: [], options: [], ...about }
}

function plainOption(link: ImportOption['link']): ImportOption {
  return { id: 'openai', name: 'OpenAI', models: [], slots: [], link }
}

function ccSwitchOption(id: string, name: string, suggested: string): ImportOption {
  const values = { resource: 'provider', app: id, name: '{name}', endpoint: ORIGIN, apiKey: '{key}', model: '{model}' }
  const parameters = Object.entries(values).map(([parameter, value]) => ({ name: parameter, value }))
  const link: ImportOption['link'] = { encoding: 'query', prefix: 'ccswitch://v1/import', parameters }
  return { id, name, models: [suggested], slots: [{ placeholder: 'model', suggested }], link }
}

function systems(how: {
  readonly install?: string
  readonly file?: SetupStep
  readonly set: readonly (readonly [name: string, value: string])[]
  readonly send: string
}): SetupWay['systems'] {
  const write = { posix: 'export', powershell: '$env:', cmd: 'set' } as const
  return (['posix', 'powershell', 'cmd'] as const).map((system) => ({
    system,
    steps: [
      ...(how.install === undefined ? [] : [step({ purpose: 'install', text: how.install })]),
      ...(how.file === undefined ? [] : [how.file]),
      step({
        purpose: 'set',
        note: 'this_terminal',
        text: how.set.map(([name, value]) => `${write[system]} ${name}='${value}'`).join('\n'),
      }),
      step({ purpose: 'try', text: how.send }),
    ],
  }))
}

function step(about: { purpose: SetupStep['purpose']; note?: SetupStep['note']; text: string }) {
  return {
    kind: 'shell' as const,
    language: 'bash' as const,
    path: null,
    merge: false,
    escapes: ['posix' as const],
    purpose: about.purpose,
    note: about.note ?? null,
    text: about.text,
  }
}

function client(about: Partial<SetupClient> & Pick<SetupClient, 'id' | 'name' | 'ways'>): SetupClient {
  const protocols = about.ways.map(({ protocol }) => protocol)
  return { category: 'cli', protocols, unavailable: null, advice: ['keep_out_of_repository'], ...about }
}

function model(name: string, protocols: KeySetup['models'][number]['protocols']): KeySetup['models'][number] {
  return { name, protocols, context_tokens: 400_000, max_output_tokens: 64_000 }
}
