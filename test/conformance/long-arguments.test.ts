import { describe, expect, test } from 'vitest'
import { ANSWER_ARGUMENTS_LIMIT_CHARACTERS, CALL_ARGUMENTS_LIMIT_CHARACTERS } from '../../src/core/limits.ts'
import { inSuite } from '../support/run/suite.ts'
import { CALLS_OF_STREAM, chatStream, HELLO, streamed, translate } from './calls-by-hand.ts'

const fn = (name: unknown, args: unknown): object => ({ name, arguments: args })

const CLIENTS = ['anthropic-messages', 'openai-responses', 'gemini'] as const

describe.each(CLIENTS)('long arguments, for a client of %s', (client) => {
  const argsOf = (characters: number): string =>
    JSON.stringify({ path: 'x', content: 'a "line"\n'.repeat(characters / 9) })
  const receive = async (entries: readonly unknown[]): Promise<readonly unknown[]> =>
    (await CALLS_OF_STREAM[client](streamed(translate(client, HELLO[client], 'openai-chat'), chatStream(entries)))).map(
      ({ name, input }) => ({ name, isSame: input === args }),
    )
  const args = argsOf(1_200_000)

  test.each([
    ['in one delta with the name', 'NousResearch/hermes-agent#62948', [{ index: 0, id: 'a', function: fn('w', args) }]],
    [
      'in one delta behind the name',
      'anomalyco/opencode#42224',
      [
        { index: 0, id: 'a', function: fn('w', '') },
        { index: 0, function: { arguments: args } },
      ],
    ],
    [
      'in one delta before the name',
      'letta-ai/letta-code#772',
      [
        { index: 0, id: 'a', function: { arguments: args } },
        { index: 0, function: fn('w', '') },
      ],
    ],
    [
      'in many deltas',
      'google-gemini/gemini-cli#11144',
      [
        { index: 0, id: 'a', function: fn('w', '') },
        ...(args.match(/[^]{1,4096}/g) ?? []).map((piece) => ({ index: 0, function: { arguments: piece } })),
      ],
    ],
    ['as an object', 'mrdushidush/claudette#238', [{ index: 0, id: 'a', function: fn('w', JSON.parse(args)) }]],
  ])('1.4 MB %s arrive whole (%s)', async (_, _from, entries) => {
    expect(await receive(entries)).toEqual([{ name: 'w', isSame: true }])
  })
})

describe.each(inSuite({ long: CLIENTS, short: [CLIENTS[0]] }))('bounds of arguments, for a client of %s', (client) => {
  test('the most that one call may have arrives, and one character more is a failure that says so (G-Research/bobbit#319)', async () => {
    const most = JSON.stringify({ content: 'x'.repeat(CALL_ARGUMENTS_LIMIT_CHARACTERS - 14) })
    const [call] = await CALLS_OF_STREAM[client](
      streamed(
        translate(client, HELLO[client], 'openai-chat'),
        chatStream([{ index: 0, id: 'a', function: fn('w', most) }]),
      ),
    )
    expect(call?.input === most).toBe(true)
    const beyond = (): unknown =>
      streamed(
        translate(client, HELLO[client], 'openai-chat'),
        chatStream([{ index: 0, id: 'a', function: fn('w', `${most} `) }]),
      )
    expect(beyond).toThrow(
      expect.objectContaining({ code: 'upstream_malformed', message: expect.stringContaining('longer arguments') }),
    )
  })

  test('all calls of an answer have a bound as well, be their names unknown (NousResearch/hermes-agent#89245)', () => {
    const piece = 'x'.repeat(ANSWER_ARGUMENTS_LIMIT_CHARACTERS / 4)
    const entries = [0, 1, 2, 3, 4].map((index) => ({ index, id: `a${index}`, function: { arguments: piece } }))
    const beyond = (): unknown => streamed(translate(client, HELLO[client], 'openai-chat'), chatStream(entries))
    expect(beyond).toThrow(expect.objectContaining({ code: 'upstream_malformed' }))
  })
})
