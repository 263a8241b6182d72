import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { MODEL_KINDS } from '../core/model-kind.ts'
import { CHAT_WIRES, WIRE_NAMES } from '../core/wire.ts'
import { givenName } from './wire-values.ts'

// What `GET /api/keys/{id}/setup` answers: how each client is set up with this key, and the links that import it. The
// secret is never in it: texts and links hold placeholders in braces, which the browser fills in (console/setup). What a
// person reads is a code here, and a sentence per language in console/dictionaries/setup-*.ts.

/** What stands in braces in texts and links. Only these are replaced, all in one pass. */
const MODEL_PLACEHOLDERS = ['model', 'haiku_model', 'sonnet_model', 'opus_model'] as const

export type ModelPlaceholder = (typeof MODEL_PLACEHOLDERS)[number]

/** What a client speaks. */
const protocol = z.enum(CHAT_WIRES)

/** A place for the name of a model that the person may choose. */
const modelSlot = z.object({ placeholder: z.enum(MODEL_PLACEHOLDERS), suggested: z.string() })

const purpose = z
  .enum(['install', 'set', 'extra', 'without_file', 'keep', 'try'])
  .describe(
    'install the client; set it up; what can be set beside that; a first message without the file; keep it for later terminals; send a first message',
  )

const note = z.enum([
  'this_terminal',
  'new_terminal',
  'shell_profile',
  'merge_into_file',
  'merge_list_into_file',
  'fields_in_app',
  'save_and_run',
])

/** How a value is written inside a text so that it stays one value. Several are applied in their order. */
const escaping = z.enum(['posix', 'powershell', 'cmd', 'json', 'javascript'])

/** A text to copy: commands, code, or the content of a file. */
const textStep = z.object({
  kind: z.enum(['shell', 'code', 'file']),
  purpose,
  note: note.nullable(),
  language: z.enum(['bash', 'powershell', 'cmd', 'json', 'toml', 'yaml', 'python', 'javascript']),
  path: z.string().nullable().describe('of a file: where it lies; of code: a name to save it by'),
  merge: z.boolean().describe('true: it is merged into what the file holds already'),
  escapes: z.array(escaping),
  text: z.string(),
  marked_text: z
    .string()
    .nullable()
    .describe(
      'the same with {mark} in a header, so that the key’s owner sees the request even if its key is wrong; null: the client sends no such header',
    ),
})

/** Fields of a program's own settings page. */
const settingsStep = z.object({
  kind: z.literal('settings'),
  purpose,
  note: note.nullable(),
  where: z.string().describe("the way through the program's menus, in the program's own words"),
  chinese_where: z.string().nullable().describe('the same in its Chinese interface; null: it has none'),
  fields: z.array(
    z.object({
      label: z.string(),
      chinese_label: z.string().nullable().describe('null: it is the same there, or there is none'),
      value: z.string(),
    }),
  ),
})

const setupStep = z.discriminatedUnion('kind', [textStep, settingsStep])

/** The models that the files of a setup list. */
const listed = z.enum(['favourites', 'all'])

/** `GET /api/keys/{id}/setup` */
export const keySetupQuery = z.object({
  listed: listed
    .optional()
    .describe(
      'which models files of clients list: the chosen one with your favourites, or all; absent: all where there are at most ten and no favourite is among them',
    ),
})

/** The setup of a client over one protocol. */
const setupWay = z.object({
  protocol,
  models: z.array(z.string()).describe('models of the key that speak it, the suggested one first'),
  slots: z.array(modelSlot),
  listed: listed.nullable().describe('which models its file lists; null: it lists none'),
  systems: z.array(z.object({ system: z.enum(['posix', 'powershell', 'cmd', 'any']), steps: z.array(setupStep) })),
})

const unavailable = z.enum(['no_models', 'no_chat_model', 'no_model_of_protocol'])

const advice = z.enum([
  'keep_out_of_repository',
  'file_holds_key',
  'history_holds_key',
  'other_anthropic_key_wins',
  'root_without_v1',
  'full_path_on_purpose',
  'own_provider_entry',
  'restart_after_saving',
  'called_from_cloud',
  'own_model_name',
  'menu_by_system',
  'opens_session',
  'interactive_auth_type',
  'slots_of_models',
  'traffic_and_updates',
  'called_from_container',
  'use_chat_completions',
  'model_from_list',
  'opened_in_vs_code',
  'opened_in_raycast',
])

const setupClient = z
  .object({
    id: z.string(),
    name: z.string(),
    category: z.enum(['cli', 'sdk', 'app', 'http']),
    protocols: z.array(protocol).describe('what it can speak, the one that suits it best first'),
    ways: z.array(setupWay).describe('one for each of these that a model of this key speaks, in that order'),
    unavailable: unavailable.nullable().describe('why it is unavailable'),
    advice: z.array(advice),
    import: z.string().nullable().describe('the id of the import target that sets up this same program by a link'),
  })
  .openapi('SetupClient')

const parameter = z.object({ name: z.string(), value: z.string() })

/** An object whose strings may hold placeholders, at any depth. */
const payload = z.record(z.string(), z.unknown())

/** How a link is put together, once the placeholders in its values are filled in. */
const importLink = z.discriminatedUnion('encoding', [
  z.object({
    encoding: z.literal('query').describe('prefix?name=value&…, values percent-encoded'),
    prefix: z.string(),
    parameters: z.array(parameter),
  }),
  z.object({
    encoding: z
      .enum(['json_query', 'base64_json_query'])
      .describe('as `query`, with one more parameter: the payload as JSON, or its UTF-8 in standard Base64'),
    prefix: z.string(),
    parameters: z.array(parameter),
    payload_parameter: z.string(),
    payload,
  }),
  z.object({
    encoding: z.literal('base64_json_plain').describe('prefix, then the UTF-8 of the payload as JSON in Base64'),
    prefix: z.string(),
    payload,
  }),
  z.object({
    encoding: z.literal('template').describe('placeholders are replaced by their percent-encoded values'),
    template: z.string(),
  }),
])

const importWarning = z.enum(['key_reaches_web_server', 'key_in_web_address', 'new_entry_each_time', 'scan_with_phone'])

const importOption = z.object({
  id: z.string(),
  name: z.string(),
  models: z.array(z.string()).describe('to choose from, the suggested one first; empty: the link names no model'),
  slots: z.array(modelSlot),
  link: importLink,
})

const importTarget = z
  .object({
    id: z.string(),
    name: z.string(),
    show_as: z.enum(['link', 'qr']),
    is_custom: z.boolean().describe('true: an admin added it'),
    warnings: z.array(importWarning),
    options: z.array(importOption).describe('one for each application, or protocol, that it imports for'),
    unavailable: unavailable.nullable().describe('why it is unavailable'),
  })
  .openapi('ImportTarget')

export const keySetupAnswer = z
  .object({
    base_urls: z.object({
      openai: z.string().describe('for clients of the OpenAI protocols; ends in /v1'),
      anthropic: z.string().describe('for clients of the Anthropic protocol; without /v1'),
    }),
    mark: z
      .string()
      .describe(
        'what {mark} stands for: ties a request to this key for half a day; it opens nothing and is not a secret',
      ),
    provider_name: z.string().describe('what {name} stands for: what clients call this gateway'),
    models: z.array(
      z.object({
        name: z.string(),
        protocols: z.array(z.enum(WIRE_NAMES)),
        context_tokens: z.number().int().nullable(),
        max_output_tokens: z.number().int().nullable(),
        kind: z.enum(MODEL_KINDS),
        recommended: z.boolean().describe('an admin wants it suggested before others'),
        answers: z
          .boolean()
          .nullable()
          .describe('whether it would answer now, as far as is known; null: it was not tried'),
      }),
    ),
    clients: z.array(setupClient),
    imports: z.array(importTarget),
  })
  .openapi('KeySetup')

/** Schemes that run code in the console or read files of the person who clicks. */
const FORBIDDEN_SCHEMES: readonly string[] = ['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'view-source']

const CUSTOM_PLACEHOLDERS: readonly string[] = ['origin', 'base_url', 'key', 'model', 'name']

/** An import link that an admin adds to the list. */
export const customImport = z
  .object({
    name: givenName(BOUNDS.settings.import_name),
    template: z
      .string()
      .max(BOUNDS.settings.import_template.most)
      .regex(/^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]+$/, 'must begin with a scheme, as in app://, and have no spaces')
      .refine((text) => !FORBIDDEN_SCHEMES.includes(schemeOf(text)), {
        message: `must not begin with one of ${FORBIDDEN_SCHEMES.join(':, ')}:`,
      })
      .refine((text) => placeholdersIn(text).every((name) => CUSTOM_PLACEHOLDERS.includes(name)), {
        message: `must have no placeholders but {${CUSTOM_PLACEHOLDERS.join('}, {')}}`,
      }),
  })
  .strict()
  .openapi('CustomImport')

function schemeOf(template: string): string {
  return template.slice(0, template.indexOf(':')).toLowerCase()
}

function placeholdersIn(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map((found) => found[1] ?? '')
}

export type KeySetup = z.output<typeof keySetupAnswer>
export type SetupProtocol = z.output<typeof protocol>
export type SetupClient = z.output<typeof setupClient>
export type SetupListed = z.output<typeof listed>
export type SetupWay = z.output<typeof setupWay>
export type SetupSystem = SetupWay['systems'][number]['system']
export type SetupStep = z.output<typeof setupStep>
export type SetupTextStep = z.output<typeof textStep>
export type SetupPurpose = z.output<typeof purpose>
export type SetupNote = z.output<typeof note>
export type SetupEscape = z.output<typeof escaping>
export type SetupAdvice = z.output<typeof advice>
export type SetupUnavailable = z.output<typeof unavailable>
export type ModelSlot = z.output<typeof modelSlot>
export type ImportTargetView = z.output<typeof importTarget>
export type ImportOption = z.output<typeof importOption>
export type ImportLink = z.output<typeof importLink>
export type ImportWarning = z.output<typeof importWarning>
export type CustomImport = z.output<typeof customImport>
