import { expect, test } from 'vitest'
import { diagnosisIn, withDiagnosis } from './diagnosis-search.ts'

test.for([
  [{ request: 'req_01', seen: 'request' }, 'request=req_01&seen=request'],
  [{ found: '[{"code":"a&b"}]', model: 'a/b c' }, 'found=%5B%7B%22code%22%3A%22a%26b%22%7D%5D&model=a%2Fb+c'],
  [{}, 'new'],
] as const)('an address has a diagnosis beside what it shows, and gives it back: %o', ([clues, text]) => {
  const search = withDiagnosis({ sort: 'name', diagnose: 'an older one' }, clues)
  expect(search).toEqual({ sort: 'name', diagnose: text })
  expect(diagnosisIn(search)).toEqual(clues)
  expect(withDiagnosis(search, null)).toEqual({ sort: 'name' })
  expect(diagnosisIn({ sort: 'name' })).toBeNull()
})
