import { beforeAll, describe, expect, test } from 'vitest'
import { accessibilityFindings, settles, sidewaysPx } from './accessibility.ts'
import { type Place, sharedPlace } from './place.ts'
import { visit } from './visit.ts'
import { inSuite } from '../support/run/suite.ts'

/** The reference of the API is the largest page: axe takes a minute for it. */
const REFERENCE = '/api/docs'
const PAGES = [
  '/docs/errors',
  '/docs/errors/key_expired',
  '/docs/errors/body_malformed',
  '/docs/changes',
  '/docs/license',
] as const
const SCREENS = [
  { theme: 'light', width: 1280, about: 'all' },
  { theme: 'dark', width: 360, about: 'colours' },
] as const

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

describe.each(inSuite({ long: SCREENS, short: SCREENS.slice(0, 1) }))(
  'in the $theme theme, $width pixels wide',
  ({ theme, width, about }) => {
    test.each(inSuite({ long: [REFERENCE, ...PAGES], short: PAGES }))(
      '%s is one request and accessible, and nothing on it breaks its policy',
      async (path) => {
        const { page, context } = await visit(place, { language: 'en', theme, width })
        const requested: string[] = []
        context.on('request', (request) => requested.push(new URL(request.url()).pathname))
        await page.goto(path)
        await settles(page)
        expect(requested.filter((each) => each !== '/favicon.ico')).toEqual([path])
        expect(await page.evaluate('document.body.innerText.length')).toBeGreaterThan(100)
        expect(await sidewaysPx(page)).toBeLessThanOrEqual(0)
        expect(await accessibilityFindings(page, { about })).toEqual([])
      },
    )
  },
)
