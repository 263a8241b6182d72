import { expect, test } from 'vitest'
import { sitePathOf } from './site.ts'

test.for([
  ['https://host.test/console/assets/parts-abcd1234.js', ''],
  ['https://host.test/gateway/console/assets/parts-abcd1234.js', '/gateway'],
  ['https://host.test/a/console/console/assets/parts-abcd1234.js', '/a/console'],
  ['http://localhost:5173/console/site.ts?t=1', ''],
  ['file:///home/ada/tollgate/console/site.ts', ''],
])('the path of the site of %s is "%s"', ([file = '', path]) => {
  expect(sitePathOf(file)).toBe(path)
})
