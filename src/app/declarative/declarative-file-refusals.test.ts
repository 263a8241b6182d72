import { expect, test } from 'vitest'
import { parseDeclarativeFile } from './declarative-file.ts'
import { ConfigurationError } from '../installation/environment.ts'

const nothing = {
  upstreams: new Set<string>(),
  models: new Set<string>(),
  groups: new Set<string>(),
  plans: new Set<string>(),
  accounts: new Set<string>(),
}

function refusal(text: string, environment: Record<string, string> = {}): string {
  try {
    parseDeclarativeFile(text, { name: 'tollgate.yaml', environment }).checkReferences(nothing)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

const head = `upstreams:
  - name: main
    protocol: openai
    base_url: https://api.example.test/v1
`

test.for([
  [
    'an endpoint that there is not',
    `${head}models: [{ name: m, endpoints: [openai-chta], targets: [{ upstream: main }] }]\n`,
    'models[0].endpoints[0] is "openai-chta"',
  ],
  [
    'a setting that no upstream may be spared',
    `${head}    drop_fields: [max_tokens]\n`,
    'upstreams[0].drop_fields[0] is "max_tokens"',
  ],
  [
    'a rule that cannot be in shadow',
    `${head}    shadow: [timeout_ms]\n`,
    'line 5, column 14: upstreams[0].shadow[0] is "timeout_ms", but it must be one of spend_per_day',
  ],
  [
    'a rule of a model that there is not',
    `${head}models:\n  - name: m\n    rules: { temprature: refused }\n    targets: [{ upstream: main }]\n`,
    'line 7, column 14: "temprature" is not a field of models[0].rules; did you mean "temperature"?',
  ],
  [
    'a rule of a target that there is not, and that is like none',
    `${head}models: [{ name: m, targets: [{ upstream: main, rules: { x: 1 } }] }]\n`,
    '"x" is not a field of models[0].targets[0].rules; it has reasoning, efforts, ',
  ],
  [
    'a rule of a target with a value that it does not take',
    `${head}models:\n  - name: m\n    targets:\n      - { upstream: main, rules: { temperature: never } }\n`,
    'line 8, column 49: models[0].targets[0].rules.temperature is "never", but it must be one of taken, not_while_reasoning, refused',
  ],
  [
    'a rule with a number beyond its bounds',
    `${head}models: [{ name: m, rules: { temperature_most: 3 }, targets: [{ upstream: main }] }]\n`,
    'models[0].rules.temperature_most is 3, but it must be a number from 0 to 2',
  ],
  [
    'a rule with a part of a token',
    `${head}models: [{ name: m, rules: { most_output: 0.5 }, targets: [{ upstream: main }] }]\n`,
    'models[0].rules.most_output is 0.5, but it must be a whole number, from 0 to 1000000000',
  ],
  [
    'a rule with a word beside the known ones',
    `${head}models: [{ name: m, rules: { efforts: [low, huge] }, targets: [{ upstream: main }] }]\n`,
    'models[0].rules.efforts[1] is "huge", but it must be one of none, minimal, low',
  ],
  [
    'rules that are not a map',
    `${head}models: [{ name: m, rules: [temperature], targets: [{ upstream: main }] }]\n`,
    'models[0].rules is a list, but it must be a map of facts about the model, such as temperature: refused',
  ],
  [
    'a cap in shadow that is not set',
    `${head}    shadow: [spend_per_day]\n`,
    'line 5, column 14: upstreams[0].shadow[0] is "spend_per_day", but it must be the name of a rule that is set beside it',
  ],
  [
    'a limit of a credential in shadow that is not set',
    `${head}    credentials: [{ name: a, secret: s, spend_per_day: "1", shadow: [spend_per_day, max_concurrency] }]\n`,
    'upstreams[0].credentials[0].shadow[1] is "max_concurrency", but it must be the name of a rule that is set beside it',
  ],
  [
    'a margin in shadow that is not set',
    `${head}models: [{ name: m, targets: [{ upstream: main, cost: { factor: "1" }, shadow: [min_margin] }] }]\n`,
    'models[0].targets[0].shadow[0] is "min_margin", but it must be the name of a rule that is set beside it',
  ],
  [
    'a misspelt field',
    `${head}    credentail: x\n`,
    'line 5, column 5: "credentail" is not a field of upstreams[0]; did you mean "credential"?',
  ],
  [
    'a misspelt section',
    'modles: []\n',
    'line 1, column 1: "modles" is not a field of this file; did you mean "models"?',
  ],
  [
    'a window twice in a plan',
    'plans: [{ name: p, groups: [g], days: 30, price: "1", quotas: [{ window: 5h, usd: "1" }, { window: 5h, usd: "2" }] }]',
    'plans[0].quotas is a list, but it must have each window once',
  ],
  [
    'a price of kept answers above 1',
    'groups: [{ name: g, models: ["*"], cache: { ttl_seconds: 60, price: "1.01" } }]',
    'groups[0].cache.price is "1.01", but it must be a factor in quotes from "0" to "1"',
  ],
  [
    'a response cache without its time',
    'groups: [{ name: g, models: ["*"], cache: { price: "0.1" } }]',
    'groups[0].cache.ttl_seconds is missing',
  ],
  [
    'a misspelt field of a response cache',
    'groups: [{ name: g, models: ["*"], cache: { ttl_second: 60 } }]',
    'did you mean "ttl_seconds"?',
  ],
  [
    'an unknown placeholder of alerts',
    'settings: { alert_template: { text: "{{tittle}}" } }',
    'settings.alert_template is a map, but it must not have {{tittle}}: its placeholders are title, text,',
  ],
  [
    'a window twice in a key',
    'keys: [{ account: a@b.test, name: k, group: g, custom_key: abcdefgh-2f9c61d07b3e, rate_limit: { spend: [{ window: 1d, usd: "1" }, { window: 1d, usd: "2" }] } }]',
    'keys[0].rate_limit.spend is a list, but it must have each window once',
  ],
  ['an unknown field', `${head}    zzz: 1\n`, '"zzz" is not a field of upstreams[0]; it has name, protocol, base_url,'],
  [
    'a misspelt field, though a required one is missing',
    'keys: [{ account: a@b.test, nmae: k, group: g, custom_key: abcdefgh-2f9c61d07b3e }]',
    '"nmae" is not a field of keys[0]; did you mean "name"?',
  ],
  [
    'an unknown inner field',
    'models: [{ name: m, price: { input: "1", output: "1", inptu: "2" }, targets: [] }]',
    '"inptu" is not a field of models[0].price; did you mean "input"?',
  ],
  [
    'a field written twice',
    `${head}    name: other\n`,
    'line 5, column 5: this is not valid YAML: Map keys must be unique',
  ],
  [
    'a star without quotes',
    'groups: [{ name: g, models: [*] }]',
    'line 1, column 30: this is not valid YAML: text that begins with "*" needs quotation marks',
  ],
  [
    'an alias of nothing',
    'groups: [{ name: g, models: *all }]',
    'line 1, column 29: this is not valid YAML: text that begins with "*" needs quotation marks',
  ],
  ['a tab', 'upstreams:\n\t- name: x\n', 'line 2, column 1: this is not valid YAML'],
  ['a second document', `${head}---\n${head}`, 'line 5, column 1: this is not valid YAML'],
  [
    'a value of a list',
    'upstreams: none\n',
    'line 1, column 12: upstreams is "none", but it must be a list of upstreams.',
  ],
  [
    'a missing field',
    'upstreams:\n  - name: main\n',
    'line 2, column 5: upstreams[0].protocol is missing: it must be one of openai, openai-chat, anthropic, gemini, converse, demo.',
  ],
  [
    'an unknown word',
    head.replace('openai', 'opena1'),
    'line 3, column 15: upstreams[0].protocol is "opena1", but it must be one of openai',
  ],
  [
    'a price without quotes',
    'models: [{ name: m, price: { input: 2.50, output: "1" }, targets: [{ upstream: u }] }]',
    'column 37: models[0].price.input is 2.50, but it must be an amount of USD in quotes such as "2.50"',
  ],
  [
    'a negative price',
    'models: [{ name: m, price: { input: "-1", output: "1" }, targets: [{ upstream: u }] }]',
    'models[0].price.input is "-1", but it must be an amount',
  ],
  [
    'too many decimals',
    'plans: [{ name: p, groups: [g], days: 1, price: "0.0000000001" }]',
    'plans[0].price is "0.0000000001", but it must be an amount',
  ],
  [
    'a plan without groups',
    'plans: [{ name: p, groups: [], days: 1, price: "1" }]',
    'plans[0].groups is an empty list, but it must have at least 1 entry.',
  ],
  [
    'a fraction of a day',
    'plans: [{ name: p, groups: [g], days: 1.5, price: "1" }]',
    'plans[0].days is 1.5, but it must be a whole number, from 1 to 36500.',
  ],
  [
    'a day that does not exist',
    'keys: [{ account: a@b.test, name: k, group: g, custom_key: ada-laptop-2f9c61d07b3e, expires_at: "2027-02-30T00:00:00Z" }]',
    'keys[0].expires_at is "2027-02-30T00:00:00Z", but it must be a time such as',
  ],
  [
    'a key without custom_key',
    'keys: [{ account: a@b.test, name: k, group: g }]',
    'keys[0].custom_key is missing: it must be a custom key of 20 to 128 characters; a key in this file needs one, since a generated secret could never be shown.',
  ],
  [
    'a base URL with a query',
    head.replace('/v1', '/v1?key=1'),
    'upstreams[0].base_url is "https://api.example.test/v1?key=1", but it must be an http or https URL without',
  ],
  [
    'a base URL with credentials',
    head.replace('https://', 'https://u:p@'),
    'but it must be an http or https URL without user name',
  ],
  ['another scheme', head.replace('https', 'ftp'), 'but it must be an http or https URL'],
  [
    'an endpoint as base URL',
    head.replace('/v1', '/v1/chat/completions'),
    'but it must be the base URL alone: leave /chat/completions out',
  ],
  [
    'an upstream without base URL',
    'upstreams: [{ name: u, protocol: openai }]',
    'upstreams[0].base_url is missing: it must be the URL of the upstream',
  ],
  [
    'a credential header',
    `${head}    headers: { X-Api-Key: abc }\n`,
    'line 5, column 27: upstreams[0].headers.X-Api-Key cannot be used: it must not be a credential',
  ],
  [
    'a hop-by-hop header',
    `${head}    headers: { connection: close }\n`,
    'headers.connection cannot be used: it must not concern the connection',
  ],
  [
    'a header that asks for compression',
    `${head}    headers: { Accept-Encoding: gzip }\n`,
    'headers.Accept-Encoding cannot be used: it must not ask for compression: compressed answers are not read',
  ],
  ['a header name with a space', `${head}    headers: { "a b": c }\n`, 'it must be named with letters'],
  [
    'a credential with a line break',
    `${head}    credential: "a\\nb"\n`,
    'line 5, column 17: upstreams[0].credential cannot be used: it must be a credential of printable ASCII',
  ],
  [
    'a secret with a line break',
    `${head}    credentials: [{ name: a, secret: "a\\nb" }]\n`,
    'line 5, column 38: upstreams[0].credentials[0].secret cannot be used: it must be a credential of printable ASCII',
  ],
  [
    'a name of two credentials',
    `${head}    credentials: [{ name: a, secret: x }, { name: a, secret: y }]\n`,
    'upstreams[0].credentials[1].name is "a", but it must be a name that no other credential of this upstream has',
  ],
  [
    'a pool in which all credentials have weight 0',
    `${head}    credentials: [{ name: a, secret: x, weight: 0 }]\n`,
    'upstreams[0].credentials[0].weight is 0, but it must be above 0 for at least one credential',
  ],
  [
    'credentials beside a credential',
    `${head}    credential: x\n    credentials: [{ name: a, secret: y }]\n`,
    'upstreams[0].credentials is a list, but it must not be set beside the field credential',
  ],
  [
    'a misspelt field of a credential',
    `${head}    credentials: [{ name: a, secret: y, wieght: 1 }]\n`,
    '"wieght" is not a field of upstreams[0].credentials[0]; did you mean "weight"?',
  ],
  [
    'a short password',
    'accounts: [{ email: a@b.test, password: short }]',
    'accounts[0].password cannot be used: it must be a password of 8 to 128 characters.',
  ],
  [
    'an address that is none',
    'keys: [{ account: a@b.test, name: k, group: g, custom_key: ada-laptop-2f9c61d07b3e, allowed_ips: [10.0.0.0/33] }]',
    'keys[0].allowed_ips[0] is "10.0.0.0/33", but it must be an IP address or CIDR range',
  ],
] as const)('$0 is refused with line, column and remedy', ([, text, expected]) => {
  expect(refusal(text)).toContain(expected)
})

test.for([
  [
    'an upstream',
    'models: [{ name: m, targets: [{ upstream: man }] }]\nupstreams: [{ name: main, protocol: demo }]',
    'line 1, column 43: there is no upstream "man": did you mean "main"?',
  ],
  [
    'a group of a target',
    'models: [{ name: m, targets: [{ upstream: main, groups: [g, fast] }] }]\nupstreams: [{ name: main, protocol: demo }]\ngroups: [{ name: g, models: [m] }]',
    'line 1, column 61: there is no group "fast": add it under groups',
  ],
  [
    'a model',
    'groups: [{ name: g, models: [gpt] }]',
    'line 1, column 30: there is no model "gpt": add it under models.',
  ],
  [
    'a plan',
    'plans: [{ name: pro, groups: [g], days: 1, price: "1" }]\ngroups: [{ name: g, models: ["*"] }]\naccounts: [{ email: a@b.test, subscription: por }]',
    'line 3, column 45: there is no plan "por": did you mean "pro"?',
  ],
  ['a group of a plan', 'plans: [{ name: p, groups: [g], days: 1, price: "1" }]', 'there is no group "g"'],
  [
    'an account',
    'keys: [{ account: a@b.test, name: k, group: g, custom_key: ada-laptop-2f9c61d07b3e }]',
    'column 19: there is no account "a@b.test"',
  ],
  [
    'a fallback group of a key',
    'accounts: [{ email: a@b.test }]\ngroups: [{ name: g, models: [] }]\nkeys: [{ account: a@b.test, name: k, group: g, fallback_groups: [gg], custom_key: ada-laptop-2f9c61d07b3e }]',
    'line 3, column 66: there is no group "gg": did you mean "g"?',
  ],
] as const)('$0 that does not exist is refused', ([, text, expected]) => {
  expect(refusal(text)).toContain(expected)
})

test.for([
  [
    'upstreams',
    'upstreams: [{ name: u, protocol: demo }, { name: u, protocol: demo }]',
    'column 50: this name stands in the file twice',
  ],
  [
    'accounts, whatever their case',
    'accounts: [{ email: a@b.test }, { email: A@B.test }]',
    'this email stands in the file twice',
  ],
  [
    'keys of one account',
    `accounts: [{ email: a@b.test }]
groups: [{ name: g, models: [] }]
keys:
  - { account: a@b.test, name: k, group: g, custom_key: ada-laptop-2f9c61d07b3e }
  - { account: a@b.test, name: k, group: g, custom_key: ada-laptop-7c44e0b19d52 }`,
    'line 5, column 32: this name stands in the file twice: give each entry of keys its own.',
  ],
] as const)('two $0 of the same name are refused', ([, text, expected]) => {
  expect(refusal(text)).toContain(expected)
})

test('a custom key that can be guessed is refused with the reason, and not repeated', () => {
  const text = `accounts: [{ email: a@b.test }]
groups: [{ name: g, models: [] }]
keys:
  - { account: a@b.test, name: k, group: g, custom_key: password-password-1 }`
  const message = refusal(text)
  expect(message).toContain('line 4, column 57: this custom key cannot be used: it has 19 characters')
  expect(refusal(text.replace('password-1', 'password-12'))).toContain('it is easy to guess')
  expect(refusal(text.replace('password-1', 'password-12'))).not.toContain('password')
})

test('an upstream with 501 credentials is refused, and one with 500 is not', () => {
  const withPool = (size: number) => {
    const pool = Array.from({ length: size }, (_, place) => `{ name: c${place}, secret: s${place} }`)
    return `${head}    credentials: [${pool.join(', ')}]\n`
  }
  expect(refusal(withPool(501))).toContain('upstreams[0].credentials is a list, but it must have at most 500 entries')
  expect(() => refusal(withPool(500))).toThrow('nothing was refused')
})

test('of several mistakes the first in the file is reported', () => {
  const text = `keys:\n  - { name: k }\ngroups:\n  - { nmae: g }\nupstreams: 5\n`
  expect(refusal(text)).toContain('line 2')
  expect(refusal(text.replace('  - { name: k }\n', ''))).toContain('line 3')
})

test('no message repeats a secret', () => {
  const secret = 'hunter2-Zk3vXcQ8'
  const texts = [
    `${head}    credential: "${secret}\\n"\n`,
    `${head}    credential: [${secret}]\n`,
    `${head}    credential: ${secret}: x\n`,
    `${head}    credentials: [{ name: a, secret: [${secret}] }]\n`,
    `${head}    credential: "${secret}" x\n`,
    `${head}    credential: "${secret}\n`,
    `${head}    credential: !${secret} x\n`,
    `${head}    credential: *${secret}\n`,
    `${head}    timeout_ms: \${S}\n`,
    `upstreams: [{ name: u, protocol: \${S} }]`,
    `accounts: [{ email: \${S} }]`,
    `models: [{ name: m, targets: [{ upstream: u }], price: { input: \${S}, output: "1" } }]`,
  ]
  for (const text of texts) expect(refusal(text, { S: secret }), text).not.toContain('hunter2')
})
