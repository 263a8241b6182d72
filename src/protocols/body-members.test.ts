import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { memberOf, withMembers } from './body-members.ts'

const CHANGE = { without: ['model', 'stream'], adding: { version: '"v1"', limit: '1' } }

describe('withMembers', () => {
  it.for([
    ['{"model":"a","stream":true,"n":1.0}', '{"version":"v1","limit":1,"n":1.0}'],
    ['{"n":1.0,"model":"a","stream":true}', '{"version":"v1","limit":1,"n":1.0}'],
    ['{"n":1,"model":"a","m":2,"stream":true}', '{"version":"v1","limit":1,"n":1,"m":2}'],
    ['{ "model" : "a" , "n" : 1 }', '{"version":"v1","limit":1,  "n" : 1 }'],
    ['{"model":"a"}', '{"version":"v1","limit":1}'],
    ['{}', '{"version":"v1","limit":1}'],
    ['{"version":"own","n":1}', '{"limit":1,"version":"own","n":1}'],
    ['{"version":"own","limit":7}', '{"version":"own","limit":7}'],
    ['{"model":"a","model":"b","n":{"model":"c"}}', '{"version":"v1","limit":1,"n":{"model":"c"}}'],
    [
      String.raw`{"mod\u0065l":"a","n":"\"stream\":true"}`,
      String.raw`{"version":"v1","limit":1,"n":"\"stream\":true"}`,
    ],
  ] as const)('makes of %s the body %s', ([body, expected]) => {
    const pieces = withMembers(Buffer.from(body), CHANGE)
    expect(Buffer.concat(pieces ?? []).toString()).toBe(expected)
  })

  it('leaves alone what is not an object', () => {
    for (const body of ['', '[]', 'null', '{"model":', '{"a":1}x'])
      expect(withMembers(Buffer.from(body), CHANGE)).toBeNull()
  })

  it('says the same as a parser for random orders of members, and keeps the bytes of the others', () => {
    const members = ['"model":"x"', '"stream":false', '"a":[1, 2.50]', '"b":{"stream":1}', '"limit":3', '"c":"é"']
    for (let round = 0; round < 500; round++) {
      const chosen = members.filter(() => randomInt(2) === 0).toSorted(() => randomInt(3) - 1)
      const body = Buffer.from(`{${chosen.join(randomInt(2) === 0 ? ',' : ' ,\n ')}}`)
      const text = Buffer.concat(withMembers(body, CHANGE) ?? []).toString()
      const { model: _model, stream: _stream, ...others } = JSON.parse(body.toString())
      expect(JSON.parse(text)).toEqual({ version: 'v1', limit: 1, ...others })
      for (const member of chosen.slice(2)) if (!/^"(?:model|stream)/.test(member)) expect(text).toContain(member)
    }
  })
})

describe('memberOf', () => {
  it('returns the JSON of a member at the top', () => {
    const body = Buffer.from('{"b":{"a":1},"a": {"x":2.0} }')
    expect(memberOf(body, 'a')).toBe('{"x":2.0}')
    expect(memberOf(body, 'x')).toBeNull()
  })
})
