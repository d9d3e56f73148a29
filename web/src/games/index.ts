// The games that have a board of their own. This is the only file outside a game's folder that knows their ids.
import { aveCaesar } from './ave-caesar';
import { benHvrt } from './ben-hvrt';
import { generic } from './generic';
import { register, registerFallback } from './registry';
import { ur } from './ur';

register('ur', ur);
register('ave-caesar', aveCaesar);
register('ben-hvrt', benHvrt);
registerFallback(generic);
