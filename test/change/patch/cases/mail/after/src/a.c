int a;
long b;
int c;
