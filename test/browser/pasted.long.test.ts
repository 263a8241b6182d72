import { beforeAll, expect, test } from 'vitest'
import { explainAnswered } from '../../src/causes/answerer-texts.ts'
import type { FaultFacts } from '../../src/causes/explanation.ts'
import { explainStatus } from '../../src/causes/status-texts.ts'
import type { FaultCode } from '../../src/core/faults.ts'
import { LANGUAGES } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { eventually, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// Whatever is pasted into Diagnose; what clients print of each mistake is in wrong-turns.long.test.ts.

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

test.each(LANGUAGES)(
  'a base URL, a curl line, a file, a key’s end and a connection are each diagnosed, with a link that shows others the same and no secret, in $language',
  async ({ language, diagnose, causes: { explain }, faults, refusals }) => {
    const words = language === 'en' ? 'en' : 'zh'
    const ada = await place.person({ balance: '5' })
    const { body } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    await ada.ask('PATCH', `/api/keys/${body.key.id}`, { status: 'disabled' })
    const secret: string = body.secret
    const { origin } = place
    const { page, open, copied } = await visit(place, { language, as: ada })
    const eva = await visit(place, { language, as: await place.person() })
    const answer = page.getByRole('region', { name: diagnose.answer })
    await open('/diagnose')

    const causeOf = (code: FaultCode, facts: FaultFacts) => explain(code, facts)?.cause ?? ''
    const wrongUrl = causeOf('base_url_wrong', { enter: `${origin}/v1` })
    const pasted = [
      { text: `${origin}/v1/chat/completions`, says: [wrongUrl], isOfText: true },
      {
        text: `curl ${origin}/v1/messages -H "x-api-key: ${secret.slice(0, -2)}" -d '{"model":"demo/echo"}'`,
        says: [causeOf('key_malformed', { mistake: 'missing', missing: 2, where: 'end', end: secret.slice(-6, -2) })],
        isOfText: true,
      },
      {
        text: `model = "demo/echo"\nbase_url = "${origin}/v1/chat/completions"\napi_key = "${secret}"`,
        says: [wrongUrl, diagnose.refusedNow(faults.key_disabled.title), 'laptop'],
      },
      {
        text: `{"baseURL": "https://api.openai.com/v1", "apiKey": "sk-proj-${'aB3'.repeat(16)}"}`,
        says: [diagnose.elsewhere('https://api.openai.com'), causeOf('key_unknown', { foreign: 'OpenAI' })],
        isOfText: true,
      },
      { text: secret.slice(-4), says: [diagnose.refusedNow(faults.key_disabled.title), diagnose.statuses.disabled] },
      { text: 'connect ECONNREFUSED 127.0.0.1:9', says: [`${origin}/v1`], isOfText: true },
      {
        text: '401 {"error":{"message":"No auth credentials found","code":401}}',
        says: [explainAnswered({ by: 'openrouter', isSure: true }, 401, words).cause, `${origin}/v1`],
        isOfText: true,
      },
      {
        text: 'Request failed with status code 503',
        says: [explainStatus(503, words).cause, `${origin}/v1`],
        isOfText: true,
      },
      { text: 'it does not work', says: [diagnose.nothing], isOfText: true },
    ]
    for (const [index, { text, says, isOfText }] of pasted.entries()) {
      await fill(page, diagnose.paste, text)
      await press(page, diagnose.submit)
      for (const said of says) await reads(answer, said)
      await press(page, diagnose.share)
      await eventually(() => copied.length).toBe(index + 1)
      const link = copied.at(-1) ?? ''
      expect(link).toContain('/console/overview?diagnose=')
      expect(decodeURIComponent(link)).not.toContain(secret.slice(6, 20))
      expect(decodeURIComponent(link)).not.toContain('aB3aB3aB3')
      // What is of a key is shown to its owner alone.
      if (isOfText !== true) continue
      await eva.page.goto(link)
      for (const said of says) await reads(eva.page.getByRole('region', { name: diagnose.answer }), said)
    }
    await open(`/diagnose?key=${body.key.id}&seen=key`)
    await press(page, refusals.fix.enable)
    await reads(page.getByRole('dialog'), diagnose.passesNowKey)
  },
)
