import { expect, test } from 'vitest'
import { pageOfDocs } from './docs-page.ts'
import { pageAtPath } from './html-page.ts'
import { documentOf } from './openapi.ts'
import { ROUTES } from '../routes/all-routes.ts'
import { writtenDocs } from './written-docs.ts'

test('names the origin of each reader, and none of ours', () => {
  const docs = writtenDocs(ROUTES, '1.2.3')
  for (const origin of ['https://ai.example.com', 'http://[::1]:8787']) {
    expect(JSON.parse(docs.openApi(origin))).toEqual(
      JSON.parse(JSON.stringify(documentOf(ROUTES, { origin, version: '1.2.3' }))),
    )
    expect(docs.page(origin)).toEqual(
      pageAtPath(pageOfDocs(ROUTES, documentOf(ROUTES, { origin, version: '1.2.3' })), '/api/docs'),
    )
  }
})

test('is written once, for all that ask from anywhere', () => {
  let looks = 0
  const counted = Object.assign([...ROUTES], {
    [Symbol.iterator]: () => {
      looks += 1
      return ROUTES.values()
    },
  })
  const docs = writtenDocs(counted, '1.2.3')
  docs.page('http://first.test')
  docs.page('http://second.test')
  docs.openApi('http://third.test')
  expect(looks).toBe(1)
})
