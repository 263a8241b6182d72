import { describe, expect, test } from 'vitest'
import { FAULTS } from '../../src/core/faults.ts'
import { texts as faultsEn } from './faults-en.ts'
import { texts as faultsZhCn } from './faults-zh-cn.ts'

const languages = [
  { language: 'en', texts: faultsEn, looksRight: /^[^\u4e00-\u9fff]+$/u },
  { language: 'zh-CN', texts: faultsZhCn, looksRight: /[\u4e00-\u9fff]/u },
]

describe.each(languages)('the fault texts in $language', ({ texts, looksRight }) => {
  test('are there for every fault of the gateway, and for nothing else', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(FAULTS).sort())
  })

  test.each(Object.entries(texts))('say of %s what it is, why, and what to do', (_code, text) => {
    for (const part of [text.title, text.cause, text.remedy]) expect(part).toMatch(looksRight)
    expect(text.title).not.toMatch(/[.。]$/)
    expect(text.cause).toMatch(/[.。]$/)
    expect(text.remedy).toMatch(/[.。]$/)
  })
})
