import { LANGUAGES } from './languages.ts'
import { testEveryView } from './every-view.ts'

testEveryView(LANGUAGES[0], { usesAxe: true })
