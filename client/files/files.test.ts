import fc from 'fast-check'
import { parse as parseTomlOf } from 'smol-toml'
import { parse as parseYamlOf } from 'yaml'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { runsInSuite } from '../../test/support/run/suite.ts'
import { FileBroken, type Key, type Value } from './editor.ts'
import { JSON_FILE } from './json-file.ts'
import { ENV_FILE, SHELL_BLOCK, YAML_FILE } from './line-files.ts'
import { TOML_FILE } from './toml-file.ts'

const NOTHING_BEFORE = (): boolean => false

/** Text of JSON as JavaScript reads it: with comments and commas at the end. */
function valueOf(text: string): Record<string, unknown> {
  const found: unknown = runInThisContext(`JSON.stringify(${text.trim() === '' ? '{}' : text}\n)`)
  return JSON.parse(String(found)) as Record<string, unknown>
}

const names = fc.constantFrom('env', 'model', 'a b', 'provider', 'x"y', 'ü', '//no', '{')
const scalars = fc.oneof(
  fc.constantFrom('"text"', '"a // b"', '"/* c */ }"', '-1.5e3', 'true', 'null', '"\\u00e9\\"{"'),
)

interface Style {
  readonly end: string
  readonly indent: string
  readonly comma: boolean
  readonly comments: boolean
  readonly isOneLine: boolean
  readonly finalEnd: boolean
}

const styles: fc.Arbitrary<Style> = fc.record({
  end: fc.constantFrom('\n', '\r\n'),
  indent: fc.constantFrom('  ', '\t', '    '),
  comma: fc.boolean(),
  comments: fc.boolean(),
  isOneLine: fc.boolean(),
  finalEnd: fc.boolean(),
})

interface Tree {
  readonly [name: string]: string | Tree
}
const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.dictionary(names, fc.oneof({ depthSize: 'small' }, scalars, tie('tree')), { maxKeys: 4 }),
})).tree

function printed(tree: Tree, style: Style, depth = 0): string {
  const { end, indent, comma, comments, isOneLine } = style
  const entries = Object.entries(tree)
  if (entries.length === 0) return '{}'
  if (isOneLine) {
    const members = entries.map(
      ([name, value]) =>
        `${JSON.stringify(name)}: ${typeof value === 'string' ? value : printed(value, style, depth + 1)}`,
    )
    return `{ ${members.join(', ')}${comma ? ',' : ''} }`
  }
  const pad = indent.repeat(depth + 1)
  const members = entries.map(([name, value], index) => {
    const isLast = index === entries.length - 1
    const text = typeof value === 'string' ? value : printed(value, style, depth + 1)
    const note = comments && index % 2 === 0 ? ` // "note": ${index},` : ''
    const above = comments && index % 2 === 1 ? `${pad}/* above } */${end}` : ''
    return `${above}${pad}${JSON.stringify(name)}: ${text}${isLast && !comma ? '' : ','}${note}${end}`
  })
  return `{${end}${members.join('')}${indent.repeat(depth)}}`
}

const documents = fc
  .tuple(trees, styles)
  .map(
    ([tree, style]) =>
      `${style.comments ? `// head${style.end}` : ''}${printed(tree, style)}${style.finalEnd ? style.end : ''}`,
  )
const keys: fc.Arbitrary<Key> = fc.array(fc.constantFrom('env', 'model', 'new', 'provider', 'TOKEN'), {
  minLength: 1,
  maxLength: 3,
})
const values: fc.Arbitrary<Value> = fc.constantFrom<Value>('secret', 7, true, { name: 'x', list: ['a', 1] }, [])

test('in JSON of any style, writing a key changes that key alone, and taking it out gives back every byte', () => {
  fc.assert(
    fc.property(documents, keys, values, (text, key, value) => {
      const before = valueOf(text)
      let changed: string
      try {
        changed = JSON_FILE.write(text, key, value)
      } catch (error) {
        // Something else than an object is on the way.
        expect(error).toBeInstanceOf(FileBroken)
        return
      }
      expect(valueOf(changed)).toEqual(withValue(before, key, value))
      const was = JSON_FILE.read(text, key)
      const wasThere = (group: Key): boolean => JSON_FILE.read(text, group) !== null
      const back = was === null ? JSON_FILE.remove(changed, key, wasThere) : JSON_FILE.restore(changed, key, was)
      if (was === null && !hasEmptyObject(text)) expect(back).toBe(text)
      if (was !== null) expect(back).toBe(text)
      expect(valueOf(back)).toEqual(before)
    }),
    { numRuns: runsInSuite(4_000) },
  )
})

/** The blanks between the brackets of an empty object are not remembered. */
function hasEmptyObject(text: string): boolean {
  return /\{\s*\}/.test(text)
}

function withValue(object: Record<string, unknown>, [name = '', ...rest]: Key, value: Value): Record<string, unknown> {
  const inner = object[name]
  const deeper = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  return { ...object, [name]: rest.length === 0 ? value : withValue(deeper, rest, value) }
}

test.each([
  ['{}', '{\n  "a": 1\n}'],
  ['', '{\n  "a": 1\n}\n'],
  ['{\r\n}\r\n', '{\r\n  "a": 1\r\n}\r\n'],
  ['{"b": 2}', '{"b": 2, "a": 1}'],
  ['{\n\t"b": 2 // two\n}\n', '{\n\t"b": 2, // two\n\t"a": 1\n}\n'],
  ['{\n    "b": 2,\n}', '{\n    "b": 2,\n    "a": 1,\n}'],
  ['{\n  // nothing yet\n}\n', '{\n  // nothing yet\n  "a": 1\n}\n'],
  ['{\n  "b": 2 }\n', '{\n  "b": 2,\n  "a": 1\n }\n'],
])('of %j JSON with a new member is %j', (text, expected) => {
  expect(JSON_FILE.write(text, ['a'], 1)).toBe(expected)
})

test.each([
  '{',
  '{"a": }',
  '[1',
  '{"a": 1} x',
  "{'a': 1}",
  '{"a" 1}',
  '{"a": 1 "b": 2}',
  '{,}',
  'nul',
  '"text"',
  '{/* open',
])('the broken JSON %j is refused', (text) => expect(() => JSON_FILE.write(text, ['a'], 1)).toThrow(FileBroken))

const TOML = `# mine
model = "gpt-5" # the usual
approval_policy = 'never'
notes = """
[model_providers.tollgate]
model = "not this one"
"""

# about tools
[tools]
list = [
  "a", # one ]
  "b",
]

[[hooks]]
name = "x"

[profiles.fast]
model = "gpt-5-mini"
`

test.each([
  ['as it is', TOML],
  ['with the line ends of Windows', TOML.replaceAll('\n', '\r\n')],
  ['without a final line end', TOML.trimEnd()],
  ['empty', ''],
  ['with a header alone', '[tools]\nx = 1\n'],
  ['with comments alone', '# only this\n'],
])('in TOML %s, only the named keys change, and taking them out leaves what was there', (_, text) => {
  const edits: [Key, Value][] = [
    [['model'], 'm"1'],
    [['model_provider'], 'tollgate'],
    [['model_providers', 'tollgate', 'base_url'], 'https://x/v1'],
    [['model_providers', 'tollgate', 'auth', 'command'], 'C:\\node.exe'],
    [
      ['model_providers', 'tollgate', 'auth', 'args'],
      ['a', '--b c'],
    ],
    [['model_providers', 'tollgate', 'auth', 'timeout_ms'], 30_000],
  ]
  const before = parseTomlOf(text)
  const changed = edits.reduce((all, [key, value]) => TOML_FILE.write(all, key, value), text)
  expect(parseTomlOf(changed)).toEqual({
    ...before,
    model: 'm"1',
    model_provider: 'tollgate',
    model_providers: {
      tollgate: {
        base_url: 'https://x/v1',
        auth: { command: 'C:\\node.exe', args: ['a', '--b c'], timeout_ms: 30_000 },
      },
    },
  })
  const back = edits.reduceRight((all, [key]) => {
    const was = TOML_FILE.read(text, key)
    return was === null ? TOML_FILE.remove(all, key, NOTHING_BEFORE) : TOML_FILE.restore(all, key, was)
  }, changed)
  expect(back.trimEnd()).toBe(text.trimEnd())
})

test.each([
  ['model_providers.tollgate.name = "x"\n', 'has "model_providers.tollgate.name" in a form'],
  ['model_providers = { tollgate = {} }\n', 'has "model_providers" in a form'],
  ['[[model_providers]]\nx = 1\n', 'has "model_providers" in a form'],
  ['[a\n', 'is not valid TOML (line 1)'],
  ['x = 1\ny = \n', 'is not valid TOML (line 2)'],
  ['x = "open\n', 'is not valid TOML'],
  ['x = 1 2\n', 'is not valid TOML'],
])('the TOML %j is refused', (text, sentence) => {
  expect(() => TOML_FILE.write(text, ['model_providers', 'tollgate', 'base_url'], 'x')).toThrow(sentence)
})

test.each([
  ['# mine\nmodel: gpt-5  # usual\nread:\n  - a\n  - b\n', 'other'],
  ['model:\nlist:\n- a\n', 'empty value'],
  ['---\n"model": \'a: b # c\'\nopenai-api-key: old', 'quoted'],
  ['text: |\n  model: inside\n\nmodel: x\r\n', 'block'],
  ['', 'nothing'],
])('in YAML %j only the named keys change', (text) => {
  const changed = YAML_FILE.write(YAML_FILE.write(text, ['model'], 'openai/m'), ['openai-api-key'], 'no: #1')
  expect(parseYamlOf(changed)).toEqual({
    ...(parseYamlOf(text) as object | null),
    model: 'openai/m',
    'openai-api-key': 'no: #1',
  })
  const was = YAML_FILE.read(text, ['model'])
  expect(YAML_FILE.read(YAML_FILE.restore(changed, ['model'], was ?? 'x'), ['model'])).toBe(was ?? 'x')
})

test.each([
  'model:\n  nested: 1\n',
  'model: |\n  text\n',
  'model:\n- a\n',
  '{ model: x }\n',
  '- a\n',
  'model: a\n---\nmodel: b\n',
])('the YAML %j is refused', (text) => expect(() => YAML_FILE.write(text, ['model'], 'x')).toThrow(FileBroken))

test('variables of a file and the block of a shell are replaced where they are, and taken out without a trace', () => {
  const env = '# mine\nexport GEMINI_API_KEY="old value" \nOTHER=1\r\n'
  const changed = ENV_FILE.write(ENV_FILE.write(env, ['GEMINI_API_KEY'], 'sk-1'), ['NEW'], 'a b')
  expect(changed).toBe('# mine\nexport GEMINI_API_KEY=sk-1 \nOTHER=1\r\nNEW="a b"\n')
  const back = ENV_FILE.restore(ENV_FILE.remove(changed, ['NEW'], NOTHING_BEFORE), ['GEMINI_API_KEY'], '"old value"')
  expect(back).toBe(env)
  const shell = 'alias l=ls\n'
  const once = SHELL_BLOCK.write(shell, [], 'export A=1')
  expect(SHELL_BLOCK.write(once, [], 'export A=2')).toBe(once.replace('A=1', 'A=2'))
  expect(SHELL_BLOCK.remove(`${once}alias m=more\n`, [], NOTHING_BEFORE)).toBe(`${shell}alias m=more\n`)
})
