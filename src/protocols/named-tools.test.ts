import { expect, test } from 'vitest'
import { namesTools } from './named-tools.ts'

const NAMED = [
  '{"tools":[]}',
  '{"\\u0074ools":[]}',
  '{"too\\u006cs":[]}',
  '{"Tools":[]}',
  '{"FUNCTIONS":[]}',
  '{"\\u0066unction_call":"auto"}',
  '{"web\\u005fsearch_options":{}}',
  '{"messages":[{"role":"\\u0074ool","content":"x"}]}',
  '{"input":[{"type":"\\u0066unction_call_output"}]}',
  '{"contents":[{"parts":[{"function\\u0043all":{}}]}]}',
  '{"\\u006dcp_servers":[]}',
]

test.for(NAMED)('a request that has to do with tools is found, however it writes their names: %s', (body) => {
  expect(namesTools(Buffer.from(body))).toBe(true)
})

test.for(['{"messages":[{"role":"user","content":"tell me of \\u0074ools"}]}', '{"to":1,"type":"text","fun":[]}'])(
  'a request that has nothing to do with them is none: %s',
  (body) => {
    expect(namesTools(Buffer.from(body))).toBe(false)
  },
)
