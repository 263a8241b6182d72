import { beforeAll, expect, test } from 'vitest'
import { misfitsAt } from './fits.ts'
import { type Place, sharedPlace } from './place.ts'
import { visit } from './visit.ts'

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

const WINDOW = { width: 360, height: 300 }
const LONG = 'one-name-that-is-long-enough'

test.each([
  ['overflow: hidden; width: 40px; white-space: nowrap', [`is cut: ${LONG} at 360 px`]],
  ['overflow: hidden; width: 40px; white-space: nowrap; text-overflow: ellipsis', []],
  ['overflow: auto; width: 40px; white-space: nowrap', []],
  ['overflow: hidden; width: 1px; white-space: nowrap', []],
  ['width: 200px', []],
])('a text in a box with “%s” is found where it does not fit', async (style, findings) => {
  const { page } = await visit(place, { language: 'en', as: await place.person() })
  await page.setContent(`<body style="margin: 0"><p style="${style}">${LONG}</p></body>`)
  expect(await misfitsAt(page, WINDOW)).toEqual(findings)
})

test('a text beyond the window is found, also where the page does not scroll there', async () => {
  const { page } = await visit(place, { language: 'en', as: await place.person() })
  await page.setContent(`<body style="margin: 0"><p style="margin-left: 200px; width: 300px">${LONG}</p></body>`)
  expect(await misfitsAt(page, WINDOW)).toEqual([
    expect.stringMatching(/^scrolls sideways by \d+ px at 360 px$/),
    `is beyond the window: ${LONG} at 360 px`,
  ])
  await page.setContent(`<body style="margin: 0"><p style="margin-left: -30px">${LONG}</p></body>`)
  expect(await misfitsAt(page, WINDOW)).toEqual([`is beyond the window: ${LONG} at 360 px`])
})
