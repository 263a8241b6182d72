import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { texts as setupEn } from '../../console/dictionaries/setup-en.ts'
import { texts as setupZhCn } from '../../console/dictionaries/setup-zh-cn.ts'
import { fillSnippet } from '../../console/setup/fill-snippet.ts'
import type { SetupValues } from '../../console/setup/placeholders.ts'
import { keySetupAnswer, type SetupClient, type SetupTextStep, type SetupWay } from '../../src/contract/setup.ts'
import { keySetup } from '../../src/control/keys/setup/key-setup.ts'
import { setupModel } from '../support/setup-model.ts'
import { kindOf } from '../../src/routing/model-kind.ts'

// What can be proved of the shown texts without the clients themselves, for every one of them.

const ORIGIN = 'http://127.0.0.1:8787'
const KEY = 'sk-tg-0123456789abcdefghijABCDEFGHIJ0123456789abcdef'
const ODD = `it's "odd" $HOME %PATH% \`x\` \\n 模型`

const everything = setupWith([setupModel({ name: ODD, contextTokens: 200_000, maxOutputTokens: 64_000 })])
const values: SetupValues = {
  key: KEY,
  name: everything.provider_name,
  models: { model: ODD, haiku_model: ODD, sonnet_model: ODD, opus_model: ODD },
}
const texts = everything.clients.flatMap((client) =>
  client.ways.flatMap((way) =>
    way.systems.flatMap(({ system, steps }) =>
      steps
        .filter((step) => step.kind !== 'settings')
        .map((step) => ({ about: `${client.id}, ${way.protocol}, ${system}, ${step.purpose}`, step, system })),
    ),
  ),
)

test('every client is there, and none is left without a setup by a key that can call everything', () => {
  const shown = everything.clients.map(({ id }) => id).join(' ')
  expect(shown).toBe(
    [
      'claude-code codex opencode kilo crush pi',
      'gemini-cli qwen-code copilot-cli kimi-code cline aider goose continue claude-code-router',
      'openai-python openai-js anthropic-python anthropic-js google-genai-python google-genai-js vercel-ai-sdk langchain-js',
      'langchain-python llama-index curl',
      'cursor cherry-studio chatbox open-webui zed roo-code n8n dify jetbrains claude-desktop',
      'sillytavern lobechat immersive-translate obsidian-copilot xcode vs-code librechat raycast',
    ].join(' '),
  )
  for (const { ways, protocols, unavailable } of everything.clients) {
    expect(ways.map(({ protocol }) => protocol)).toEqual(protocols)
    expect(unavailable).toBeNull()
  }
  const answer = { ...everything, mark: 'key.expiry.hash' }
  expect(keySetupAnswer.parse(answer)).toEqual(answer)
})

test('every client of the terminal has its commands for POSIX shells, PowerShell and cmd', () => {
  for (const { ways, category } of everything.clients) {
    for (const { systems } of ways) {
      const named = systems.map(({ system }) => system)
      expect(named).toEqual(category === 'app' ? ['any'] : ['posix', 'powershell', 'cmd'])
    }
  }
})

describe('a text of its format, and the model’s name comes out of it as it went in', () => {
  const files = texts.filter(({ step }) => step.kind === 'file' && step.language !== 'bash')

  test('there are files to look at', () => {
    expect(new Set(files.map(({ step }) => step.language))).toEqual(new Set(['json', 'toml', 'yaml']))
  })

  test.for(files)('$about', ({ step }) => {
    const text = fillSnippet(step, values)
    const strings = stringsIn(READERS[step.language]?.(text))
    expect(strings.filter((one) => one.includes('{model}') || one.includes('{key}'))).toEqual([])
    if (!step.text.includes('{model}')) return
    expect(strings.some((one) => one.endsWith(ODD))).toBe(true)
  })
})

test('no filled text keeps a placeholder', () => {
  for (const { step } of texts) {
    expect(fillSnippet(step, values)).not.toMatch(/\{(key|name|model|haiku_model|sonnet_model|opus_model)\}/)
  }
})

test('Claude Code is set up by four values, and what it works without stands apart', () => {
  const names = (purpose: SetupTextStep['purpose']) =>
    linesOf('claude-code', 'posix', purpose).map((line) => /^(?:export )?(\w+)/.exec(line)?.[1])
  expect(names('set')).toEqual([
    'unset',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_MODEL',
    'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  ])
  expect(names('extra')).toEqual([
    'ANTHROPIC_DEFAULT_SONNET_MODEL',
    'ANTHROPIC_DEFAULT_OPUS_MODEL',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  ])
})

test('PowerShell sees each odd name as one text', () => {
  const lines = linesOf('claude-code', 'powershell', 'set')
  expect(lines).toContain(`$env:ANTHROPIC_MODEL = 'it''s "odd" $HOME %PATH% \`x\` \\n 模型'`)
  expect(lines).toContain(`Remove-Item Env:ANTHROPIC_API_KEY -ErrorAction SilentlyContinue`)
  expect(linesOf('codex', 'powershell', 'set')).toContain(`$env:TOLLGATE_API_KEY = '${KEY}'`)
  expect(linesOf('codex', 'powershell', 'keep')).toContain(`setx TOLLGATE_API_KEY '${KEY}'`)
})

test('a typographic quote does not end a text of PowerShell', () => {
  const step = { text: `$env:A = '{model}'`, escapes: ['powershell' as const] }
  expect(fillSnippet(step, { ...values, models: { model: '’; calc; ‘' } })).toBe(`$env:A = '’’; calc; ‘‘'`)
})

test('in cmd nothing of a name can end its quotes or be replaced', () => {
  const lines = linesOf('claude-code', 'cmd', 'set')
  expect(lines).toContain('set "ANTHROPIC_API_KEY="')
  expect(lines).toContain(`set "ANTHROPIC_AUTH_TOKEN=${KEY}"`)
  expect(lines.find((line) => line.startsWith('set "ANTHROPIC_MODEL='))).toMatch(/^set "ANTHROPIC_MODEL=[^"%]*"$/)
  expect(linesOf('codex', 'cmd', 'keep')).toContain(`setx TOLLGATE_API_KEY "${KEY}"`)
})

test.for([
  ['claude-code', ORIGIN],
  ['codex', `${ORIGIN}/v1`],
  ['openai-python', `${ORIGIN}/v1`],
  ['anthropic-python', ORIGIN],
  ['gemini-cli', ORIGIN],
  ['google-genai-python', ORIGIN],
  ['google-genai-js', ORIGIN],
  ['qwen-code', `${ORIGIN}/v1`],
  ['claude-code-router', `${ORIGIN}/v1/chat/completions`],
])('%s is given the address %s', ([id = '', address]) => {
  const shown = waysOf(id).flatMap((way) => stepsOf(way, 'posix').map((step) => step.text))
  const addresses = shown.flatMap((text) => text.match(/http:[^"'\s]*/g) ?? [])
  expect(new Set(addresses)).toEqual(new Set([address]))
})

test('programs with a settings page get address, key and model under their own labels', () => {
  for (const client of everything.clients.filter(isSetInPlace)) {
    const fields = client.ways.flatMap(({ systems }) =>
      systems.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'settings' ? step.fields : []))),
    )
    const shown = fields.map(({ value }) => value)
    expect(shown).toContain('{key}')
    expect(shown.includes('{model}')).toBe(!client.advice.includes('model_from_list'))
    expect(shown.filter((value) => value.startsWith(ORIGIN))).toHaveLength(1)
  }
})

function isSetInPlace({ ways }: SetupClient): boolean {
  return ways.some(({ systems }) => systems.some(({ steps }) => steps.some(({ kind }) => kind === 'settings')))
}

test('Python and its packages are called as each system calls them', () => {
  const pythons = everything.clients.filter(({ id }) => /python|llama-index/.test(id))
  expect(pythons.length).toBeGreaterThan(4)
  for (const { ways } of pythons) {
    for (const [system, python] of [
      ['posix', 'python3'],
      ['powershell', 'py'],
      ['cmd', 'py'],
    ] as const) {
      const commands = ways.flatMap((way) => stepsOf(way, system).filter(({ kind }) => kind === 'shell'))
      const lines = commands.filter(({ purpose }) => purpose === 'install' || purpose === 'try')
      expect(lines.length).toBeGreaterThan(1)
      for (const { text } of lines) expect(text.split(' ')[0]).toBe(python)
    }
  }
})

test('programs with a Chinese interface have its words for where and what', () => {
  for (const id of ['cherry-studio', 'chatbox', 'open-webui', 'roo-code', 'dify', 'lobechat', 'immersive-translate']) {
    const steps = waysOf(id).flatMap(({ systems }) => systems.flatMap(({ steps: each }) => each))
    const [step] = steps.filter(({ kind }) => kind === 'settings')
    expect(step).toMatchObject({ chinese_where: expect.stringMatching(/\p{Script=Han}/u) })
  }
})

test('a program that an import link sets up is named as such, unless an admin took the link off', () => {
  const linked = everything.clients.filter((client) => client.import !== null)
  expect(linked.map(({ id }) => id)).toEqual(['cherry-studio', 'chatbox', 'lobechat'])
  const hidden = keySetup({ origin: ORIGIN, keyName: '', keyId: 'key_000007', models: [], hiddenImports: ['chatbox'] })
  expect(hidden.clients.find(({ id }) => id === 'chatbox')?.import).toBeNull()
})

describe('models', () => {
  test('files list the chosen model with the favourites that the key can call, or all', () => {
    const names = Array.from({ length: 12 }, (_, index) => `model-${index}`)
    const models = names.map((name) => setupModel({ name }))
    const request = { origin: ORIGIN, keyName: 'laptop', keyId: 'key_000007', models }
    for (const id of ['opencode', 'kilo', 'crush', 'pi', 'claude-code-router', 'vs-code']) {
      const listed = (more: Partial<Parameters<typeof keySetup>[0]>) => {
        const [way] = keySetup({ ...request, ...more }).clients.find((client) => client.id === id)?.ways ?? []
        const text = (way?.systems ?? []).flatMap(({ steps }) => steps.map((step) => ('text' in step ? step.text : '')))
        return { listed: way?.listed, names: names.filter((name) => text.join('').includes(`"${name}"`)) }
      }
      const favourites = ['model-7', 'gone', 'model-3']
      expect(listed({ favourites }), id).toEqual({ listed: 'favourites', names: ['model-3', 'model-7'] })
      expect(listed({ favourites, listed: 'all' }), id).toEqual({ listed: 'all', names })
      expect(listed({}), id).toEqual({ listed: 'favourites', names: [] })
      expect(listed({ models: models.slice(0, 3) }), id).toEqual({ listed: 'all', names: names.slice(0, 3) })
    }
    const [curl] = keySetup(request).clients.find(({ id }) => id === 'curl')?.ways ?? []
    expect(curl?.listed).toBeNull()
  })

  test('VS Code’s file says of each model whether it sees pictures and calls tools, and of a chosen one only what all do', () => {
    const models = ['gpt-5.5', 'deepseek-chat', 'o1-mini'].map((name) => setupModel({ name }))
    const listedBy = (more: Partial<Parameters<typeof keySetup>[0]>) => {
      const setup = keySetup({ origin: ORIGIN, keyName: 'laptop', keyId: 'key_000007', models, ...more })
      const [step] = setup.clients.find(({ id }) => id === 'vs-code')?.ways[0]?.systems[0]?.steps ?? []
      const [entry] = JSON.parse(step !== undefined && 'text' in step ? step.text : '[]')
      return Object.fromEntries(
        entry.models.map((each: Record<string, unknown>) => [each['id'], [each['vision'], each['toolCalling']]]),
      )
    }
    expect(listedBy({})).toEqual({ 'gpt-5.5': [true, true], 'deepseek-chat': [false, true], 'o1-mini': [false, false] })
    expect(listedBy({ listed: 'favourites' })).toEqual({ '{model}': [false, false] })
    expect(listedBy({ listed: 'favourites', models: models.slice(0, 1) })).toEqual({ '{model}': [true, true] })
  })

  test('Claude Code is given the newest of each size that the key has', () => {
    const names = ['claude-haiku-4-5', 'claude-sonnet-4', 'claude-sonnet-4-10', 'claude-sonnet-4-5', 'claude-opus-4-1']
    expect(slotsOf(names, 'claude-code')).toEqual({
      model: 'claude-sonnet-4-10',
      haiku_model: 'claude-haiku-4-5',
      sonnet_model: 'claude-sonnet-4-10',
      opus_model: 'claude-opus-4-1',
    })
  })

  test('a size that the key lacks is filled by the model that is suggested, a small one by a small one', () => {
    expect(slotsOf(['big-one', 'glm-5-air'], 'claude-code')).toEqual({
      model: 'big-one',
      haiku_model: 'glm-5-air',
      sonnet_model: 'big-one',
      opus_model: 'big-one',
    })
  })

  test('Codex is given a model of its own family, and no client one that answers no conversation', () => {
    const names = ['text-embedding-3', 'demo/echo', 'gpt-5.1', 'gpt-5.5']
    expect(slotsOf(names, 'codex')).toEqual({ model: 'gpt-5.5' })
    expect(slotsOf(names.slice(0, 2), 'curl')).toEqual({ model: 'demo/echo' })
  })

  test('a client is offered only for protocols that a model of the key speaks', () => {
    const setup = setupWith([
      setupModel({ name: 'a', wires: ['anthropic-messages'] }),
      setupModel({ name: 'b', wires: ['openai-embeddings'] }),
    ])
    const found = (id: string) => setup.clients.find((client) => client.id === id)
    expect(found('opencode')?.ways.map(({ protocol, models }) => [protocol, models])).toEqual([
      ['anthropic-messages', ['a']],
    ])
    expect(found('codex')).toMatchObject({ ways: [], unavailable: 'no_model_of_protocol' })
    expect(found('gemini-cli')).toMatchObject({ ways: [], unavailable: 'no_model_of_protocol' })
    expect(setup.imports.find(({ id }) => id === 'chatbox')).toMatchObject({
      options: [],
      unavailable: 'no_model_of_protocol',
    })
  })

  test('the link into Chatbox says of each model what it can do beside text', () => {
    const can = { 'gpt-5.5': ['vision', 'tool_use'], 'deepseek-v4': ['tool_use'], llava: ['vision'] }
    const setup = setupWith(Object.keys(can).map((name) => setupModel({ name })))
    const models = Object.entries(can).map(([modelId, capabilities]) => ({ modelId, capabilities }))
    expect(setup.imports.find(({ id }) => id === 'chatbox')?.options[0]?.link).toMatchObject({
      payload: { settings: { models: expect.arrayContaining(models) } },
    })
  })

  test('the file of a key with many models lists the chosen one alone', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      setupModel({ name: `m${index}`, contextTokens: 1, maxOutputTokens: 1 }),
    )
    for (const id of ['opencode', 'kilo', 'crush', 'pi', 'claude-code-router']) {
      const ways = setupWith(many).clients.find((client) => client.id === id)?.ways ?? []
      const files = ways.flatMap((way) => stepsOf(way, 'posix').filter(({ language }) => language === 'json'))
      for (const file of files) {
        expect(file.text).toContain('{model}')
        expect(file.text).not.toContain('m299')
        expect(stringsIn(JSON.parse(fillSnippet(file, values))).some((text) => text === ODD)).toBe(true)
      }
      expect(files.length).toBeGreaterThan(0)
    }
  })

  test('a key without models says so', () => {
    const reasons = new Set(setupWith([]).clients.map(({ unavailable }) => unavailable))
    expect(reasons).toEqual(new Set(['no_models']))
  })

  test('a model whose name is a placeholder is left out', () => {
    const setup = setupWith([setupModel({ name: 'x{key}' })])
    expect(setup.models).toEqual([])
  })
})

test.for(['https://[::1]:8787', 'https://ai.example.test', 'http://192.168.1.5:8787'])(
  '%s is a good origin',
  (origin) => {
    expect(keySetup({ origin, keyName: '', keyId: 'key_000007', models: [] }).base_urls).toEqual({
      openai: `${origin}/v1`,
      anthropic: origin,
    })
  },
)

test.for([`http://a'b`, 'http://a$(x)', 'http://a b', 'http://a/', 'ftp://a', 'http://a"b', 'http://a`b', ''])(
  '%j is refused as an origin',
  (origin) => {
    expect(() => keySetup({ origin, keyName: '', keyId: 'key_000007', models: [] })).toThrow(RangeError)
  },
)

test('both languages have a sentence for every code, and not the same one', () => {
  const english = stringsIn(setupEn)
  const chinese = stringsIn(setupZhCn)
  expect(chinese).toHaveLength(english.length)
  expect(chinese.filter((text) => text.trim() === '')).toEqual([])
  const sentences = english.filter((text) => text.endsWith('.'))
  expect(sentences.filter((text) => chinese.includes(text))).toEqual([])
})

type Models = Parameters<typeof keySetup>[0]['models']

function setupWith(models: Models) {
  return keySetup({ origin: ORIGIN, keyName: 'laptop', keyId: 'key_000007', models })
}

function slotsOf(names: readonly string[], id: string): Record<string, string> {
  const models = names.map((name) => setupModel({ name, kind: kindOf({ name, prices: null }).kind }))
  const client = setupWith(models).clients.find((one) => one.id === id)
  const slots = client?.ways[0]?.slots ?? []
  return Object.fromEntries(slots.map(({ placeholder, suggested }) => [placeholder, suggested]))
}

function waysOf(id: string): SetupClient['ways'] {
  return everything.clients.find((client) => client.id === id)?.ways ?? []
}

function stepsOf(way: SetupWay | undefined, system: string): SetupTextStep[] {
  const steps = way?.systems.find((one) => one.system === system)?.steps ?? []
  return steps.filter((step) => step.kind !== 'settings')
}

function linesOf(id: string, system: string, purpose: string): string[] {
  return stepsOf(waysOf(id)[0], system)
    .filter((step) => step.purpose === purpose && step.kind === 'shell')
    .flatMap((step) => fillSnippet(step, values).split('\n'))
}

const READERS: Partial<Record<SetupTextStep['language'], (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  toml: parseToml,
  yaml: (text) => parseYaml(text),
}

/** All names and strings in a value, at any depth. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...stringsIn(inner),
  ])
}
