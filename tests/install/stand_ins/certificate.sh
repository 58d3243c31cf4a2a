# Stands in for certbot: a certificate by an authority of our own, which this system trusts.
directory=/etc/letsencrypt/live/program.example
mkdir --parents "$directory"
cd "$directory"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Test authority" \
    -keyout authority.key -out /usr/local/share/ca-certificates/authority.crt 2>/dev/null
update-ca-certificates >/dev/null 2>&1
openssl req -newkey rsa:2048 -nodes -subj "/CN=program.example" -keyout privkey.pem -out request.pem 2>/dev/null
echo "subjectAltName=DNS:program.example" > extensions
openssl x509 -req -in request.pem -days 2 -extfile extensions -CA /usr/local/share/ca-certificates/authority.crt \
    -CAkey authority.key -CAcreateserial -out fullchain.pem 2>/dev/null
