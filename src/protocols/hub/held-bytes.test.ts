import { describe, expect, test } from 'vitest'
import { CHAT_WIRES, type ChatWire } from '../../core/wire.ts'
import { protocolOf } from '../protocol-of.ts'
import { Translation } from '../translation.ts'
import { heldBytes, readDataUrl } from './held-bytes.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR4nGNgYAAAAAMAASsJTYQAAAAASUVORK5CYII='
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 1, 0xfb, 0xef]).toString(
  'base64',
)
const GIF = Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1').toString('base64')
const WEBP = Buffer.from('RIFF\u0024\u0000\u0000\u0000WEBPVP8 ', 'latin1').toString('base64')
const HEIC = Buffer.from('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000', 'latin1').toString('base64')
const PDF = Buffer.from('%PDF-1.7\n').toString('base64')
const UNKNOWN = Buffer.from('no picture').toString('base64')

describe('media types', () => {
  test.for<readonly [string | null, string, string, string | null]>([
    ['image/jpg', JPEG, 'image/jpeg', 'anotherai-dev/anotherai#457'],
    ['image/jpg', UNKNOWN, 'image/jpeg', 'mealie-recipes/mealie#5897'],
    ['image/jpg; charset=binary', JPEG, 'image/jpeg', 'NousResearch/hermes-agent#55440'],
    ['image/pjpeg', UNKNOWN, 'image/jpeg', 'NousResearch/hermes-agent#55440'],
    ['image/jfif', UNKNOWN, 'image/jpeg', 'agentscope-ai/QwenPaw#3313'],
    ['IMAGE/JPEG', JPEG, 'image/jpeg', 'CherryHQ/cherry-studio#3088'],
    ['image/PNG', PNG, 'image/png', 'brianpetro/obsidian-smart-connections#1238'],
    ['image/png;charset=utf-8', PNG, 'image/png', 'Mai-with-u/MaiBot#1177'],
    [' image/webp ', WEBP, 'image/webp', null],
    ['image/jpeg', PNG, 'image/png', 'vybestack/llxprt-code#2130'],
    ['image/png', JPEG, 'image/jpeg', 'open-webui/open-webui#25127'],
    ['image/png', GIF, 'image/gif', null],
    ['image/jpeg', WEBP, 'image/webp', 'Future-House/paper-qa#1150'],
    ['image/jpeg', HEIC, 'image/heic', 'openclaw/openclaw#102323'],
    ['image/*', PNG, 'image/png', null],
    ['application/octet-stream', PNG, 'image/png', 'nshkrdotcom/gemini_ex#11'],
    ['binary/octet-stream', PDF, 'application/pdf', null],
    [null, JPEG, 'image/jpeg', 'nshkrdotcom/gemini_ex#11'],
    ['', PDF, 'application/pdf', null],
    ['', UNKNOWN, 'application/octet-stream', null],
    // What is said is believed where the bytes cannot be another picture.
    ['image/svg+xml', UNKNOWN, 'image/svg+xml', null],
    ['image/png', PDF, 'image/png', null],
    ['text/plain; charset=utf-8', PNG, 'text/plain', null],
    ['audio/MPEG', UNKNOWN, 'audio/mpeg', null],
  ])('%s over %s is %s (%s)', ([mediaType, base64, expected]) => {
    expect(heldBytes(mediaType, base64)).toEqual({ kind: 'data', mediaType: expected, base64 })
  })
})

describe('base64', () => {
  const bare = PNG.replace('=', '')
  const other = Buffer.from(JPEG, 'base64').toString('base64url')
  test.for<readonly [string, string, string, string | null]>([
    ['without padding', bare, PNG, 'openclaw/openclaw#96437'],
    ['in the alphabet of URLs', other, JPEG, 'lmnr-ai/lmnr#1275'],
    ['in lines', PNG.replace(/.{20}/g, '$&\r\n'), PNG, 'openclaw/openclaw#18263'],
    ['with blanks around it', ` \t${PNG} \n`, PNG, 'Helicone/helicone#4223'],
    ['escaped for a URL', encodeURIComponent(JPEG), JPEG, null],
    ['with too much padding', `${bare}==`, PNG, 'matatonic/openedai-vision#4'],
    ['as a data URL', `data:image/png;base64,${PNG}`, PNG, 'openclaw/openclaw#18263'],
    ['as a data URL of another type', `data:image/jpg;base64,${PNG}`, PNG, 'openclaw/openclaw#18219'],
  ])('%s', ([, written, expected]) => {
    expect(heldBytes('image/png', written).base64).toBe(expected)
  })

  test('what is not base64 stays for the provider to judge', () => {
    expect(heldBytes('image/png', 'no*base64').base64).toBe('no*base64')
    expect(heldBytes('image/png', 'AAAAA').base64).toBe('AAAAA')
  })
})

describe('data URLs', () => {
  test.for<readonly [string, string | null, string]>([
    [`data:image/png;base64,${PNG}`, 'image/png', PNG],
    [`DATA:IMAGE/PNG;BASE64,${PNG}`, 'image/png', PNG],
    [` data:image/jpg; charset=utf-8; base64, ${JPEG}\n`, 'image/jpeg', JPEG],
    [`data:;base64,${PNG}`, 'image/png', PNG],
    [`data:image/png;name=a.png;base64,${PNG.slice(0, 40)}\n${PNG.slice(40)}`, 'image/png', PNG],
    ['data:text/plain,a%20b', 'text/plain', Buffer.from('a b').toString('base64')],
    ['data:,a%', 'text/plain', Buffer.from('a%').toString('base64')],
    ['https://a.test/data:image/png;base64,', null, ''],
    ['data:image/png;base64', null, ''],
  ])('%s', ([url, mediaType, base64]) => {
    expect(readDataUrl(url)).toEqual(mediaType === null ? null : { kind: 'data', mediaType, base64 })
  })
})

/** A JPEG that says that it is a PNG, in lines and the alphabet of URLs, as each client would send it. */
const WRITTEN = Buffer.from(JPEG, 'base64').toString('base64url').replace(/.{8}/g, '$&\n')
const BODIES: Readonly<Record<ChatWire, object>> = {
  'openai-chat': {
    messages: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/PNG;base64,${WRITTEN}` } }] },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: [{ type: 'input_image', image_url: `data:image/PNG; charset=x;base64, ${WRITTEN}` }] },
    ],
  },
  'anthropic-messages': {
    max_tokens: 16,
    messages: [
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/PNG', data: WRITTEN } }],
      },
    ],
  },
  gemini: { contents: [{ parts: [{ inlineData: { mimeType: 'IMAGE/PNG', data: WRITTEN } }] }] },
}

test.for(CHAT_WIRES.flatMap((from) => CHAT_WIRES.filter((to) => to !== from).map((to) => [from, to] as const)))(
  'a picture of %s reaches %s as what it is',
  ([from, to]) => {
    const body = Buffer.from(JSON.stringify({ model: 'm', ...BODIES[from] }))
    const head = protocolOf(from).readRequest(body, { fromPath: { model: 'm', isStream: false } })
    const translation = new Translation({ wire: from, body, head, requestId: 'req_1', nowMs: 0 })
    const written = translation.to(to, { model: 'm', maxOutputTokens: 100 }).body.toString()
    expect(written).toContain(JPEG)
    expect(written).toContain('image/jpeg')
    expect(written.toLowerCase()).not.toContain('image/png')
  },
)

test('a picture by a data URL in the place of an address is one by its bytes', () => {
  const source = { type: 'url', url: `data:image/jpg;base64,${JPEG}` }
  const fields = { model: 'm', max_tokens: 16, messages: [{ role: 'user', content: [{ type: 'image', source }] }] }
  const body = Buffer.from(JSON.stringify(fields))
  const head = protocolOf('anthropic-messages').readRequest(body)
  const asked = { wire: 'anthropic-messages', body, head, requestId: 'req_1', nowMs: 0 } as const
  const written = new Translation(asked).to('gemini', { model: 'm', maxOutputTokens: 100 }).body.toString()
  expect(JSON.parse(written)).toMatchObject({
    contents: [{ parts: [{ inlineData: { mimeType: 'image/jpeg', data: JPEG } }] }],
  })
})
