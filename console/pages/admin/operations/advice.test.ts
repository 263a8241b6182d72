import { expect, test } from 'vitest'
import { texts as operationsEn } from '../../../dictionaries/operations-en.ts'
import { texts as operationsZhCn } from '../../../dictionaries/operations-zh-cn.ts'
import { sharedEn } from '../../../dictionaries/shared-en.ts'
import { sharedZhCn } from '../../../dictionaries/shared-zh-cn.ts'
import { adviceOf } from './attention-title.ts'

const REFUSED = { kind: 'credential_held', because: 'credential', nearest: null, why: null } as const
const MISNAMED = { kind: 'model_unknown', because: null, nearest: 'gpt-5.5', why: null } as const

test('what to do is one text of whole sentences, with blanks between them in English alone', () => {
  const chinese = (item: typeof REFUSED | typeof MISNAMED): string =>
    sharedZhCn.sentences(adviceOf(item, operationsZhCn))
  expect(sharedEn.sentences(adviceOf(REFUSED, operationsEn))).toMatch(/accepts it\. The gateway/)
  expect(chinese(REFUSED)).toBe(operationsZhCn.because.credential + operationsZhCn.advice.credential_held)
  const dead = { kind: 'model_failing', because: null, nearest: null, why: 'not_tls' } as const
  expect(sharedEn.sentences(adviceOf(dead, operationsEn))).toMatch(
    /^This port doesn’t speak TLS\. .* This goes away once/,
  )
  expect(chinese(MISNAMED)).toMatch(/gpt-5\.5。请/)
})
