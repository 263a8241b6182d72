import { OTHERS, testEveryView } from './every-view.ts'

testEveryView(OTHERS)
