import { OF_KEYS, testEveryView } from './every-view.ts'

testEveryView(OF_KEYS)
