import { testEveryView } from './every-view.ts'

testEveryView(['money', 'account', 'admin', 'shell'])
