import { readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { mostTokens } from './rule-of-thumb.ts'

/** A generator of its own, so that every run sees the same. */
function noise(characters: string, length: number): string {
  let state = 7
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return characters[(state >> 8) % characters.length]
  }).join('')
}

const HEX = '0123456789abcdef'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const BASE64 = `${LETTERS}${LETTERS.toUpperCase()}0123456789+/`

const texts = {
  prose: readFileSync('docs/operating.md', 'utf8').slice(0, 30_000),
  code: readFileSync('src/protocols/json/json-scan.ts', 'utf8'),
  json: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8'))),
  lock: readFileSync('package-lock.json', 'utf8').slice(0, 30_000),
  chinese: readFileSync('console/dictionaries/usage-zh-cn.ts', 'utf8').replace(/[ -~\n]/g, ''),
  japanese: '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。'.repeat(30),
  korean: '다람쥐 헌 쳇바퀴에 타고파. 키스의 고유조건은 입술끼리 만나야 하고.'.repeat(30),
  russian: 'Сегодня хорошая погода, и мы пошли гулять в парк. Напишите программу.'.repeat(30),
  greek: 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. '.repeat(30),
  arabic: 'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر '.repeat(30),
  hindi: 'आज मौसम बहुत अच्छा है और हम पार्क में टहलने गए।'.repeat(30),
  thai: 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน'.repeat(30),
  vietnamese: 'Hôm nay trời đẹp, chúng tôi đi dạo trong công viên. '.repeat(30),
  digits: noise('0123456789', 4_000),
  numbers: Array.from({ length: 2_000 }, (_, i) => (i * 7_919) % 100_000).join(', '),
  csv: Array.from({ length: 500 }, (_, i) => `${i},${(i * 7.31).toFixed(2)},x`).join('\n'),
  hexadecimal: noise(HEX, 4_000),
  uuids: Array.from({ length: 100 }, () => `${noise(HEX, 8)}-${noise(HEX, 4)}-${noise(HEX, 12)}`).join('\n'),
  base64: noise(BASE64, 60_000).replace(/.{76}/g, '$&\n'),
  'random letters': noise(LETTERS, 4_000).replace(/.{900}/g, '$& '),
  signs: noise('(){}[]<>=!&|;:,.#@$%^*', 4_000),
  escapes: '你好世界'.repeat(300).replace(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16)}`),
  'line breaks': 'a\n\tb\r\n'.repeat(500),
  emoji: '😀🎉🚀 done 👩‍👩‍👧‍👦 🏳️‍🌈 '.repeat(100),
}

test.for(Object.entries(texts))('the rule of thumb is no less than the exact count of %s', ([, text]) => {
  const exact = encode(text).length
  const most = mostTokens(Buffer.from(text))
  expect(most).toBeGreaterThanOrEqual(exact)
  expect(most / exact).toBeLessThan(4)
})
