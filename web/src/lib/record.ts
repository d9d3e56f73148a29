const MOST = 16 * 2 ** 20;
